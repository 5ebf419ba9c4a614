function cell(row, tag, fill) {
  const part = document.createElement(tag);
  fill(part);
  const place = document.createElement("td");
  place.append(part);
  row.append(place);
  return part;
}

function choice(row, options, label, tell) {
  return cell(row, "select", (select) => {
    select.setAttribute("aria-label", label);
    for (const option of options) select.add(new Option(option.label, option.value));
    for (const [place, option] of options.entries()) select.options[place].title = option.meaning;
    select.onchange = () => tell(select.value);
  });
}

function line(each, data, tell) {
  const row = document.createElement("tr");
  const of = (what) => (value) => tell({ code: each.code, what, value });
  row.parts = {};
  row.code = each.code;
  row.tick = cell(row, "input", (input) => {
    input.type = "checkbox";
    input.setAttribute("aria-label", `Choose ${each.column}`);
  });
  row.parts.name = cell(row, "input", (input) => {
    input.setAttribute("aria-label", `Name of ${each.code}`);
    input.spellcheck = false;
    input.onchange = () => of("name")(input.value.trim());
  });
  row.parts.kind = choice(row, data.kinds, `Kind of ${each.column}`, of("kind"));
  row.parts.role = choice(row, data.roles, `Role of ${each.column}`, (value) => {
    const ticked = row.tick.checked ? [...row.parentElement.rows].filter((r) => r.tick.checked) : [row];
    for (const { code } of ticked) tell({ code, what: "role", value });
  });
  row.parts.why = cell(row, "span", () => {});
  return row;
}

// Values are set only where they changed: what has the focus keeps it.
function show({ name, kind, role, why }, each) {
  if (name.value !== each.name) name.value = each.name;
  name.title = each.name === each.code ? each.code : `${each.code} in the files`;
  kind.value = each.kind;
  kind.title = each.why_kind;
  role.value = each.role;
  why.textContent = each.why_role;
}

// Edits are sent until the server has taken them: of two that come while it is busy it hears the last.
export default function ({ parentElement, data, setTriggerValue }) {
  const body = parentElement.querySelector("tbody");
  body.edits = (body.edits ?? []).filter((edit) => edit.number > data.taken);
  const tell = (edit) => {
    body.last = Math.max(Date.now(), data.taken + 1, (body.last ?? 0) + 1);
    body.edits.push({ ...edit, number: body.last });
    setTriggerValue("edits", [...body.edits]);
  };
  const all = parentElement.querySelector("thead input");
  all.onchange = () => {
    for (const row of body.rows) row.tick.checked = all.checked;
  };
  const columns = JSON.stringify(data.rows.map((each) => each.column));
  if (body.dataset.columns !== columns) {
    body.replaceChildren(...data.rows.map((each) => line(each, data, tell)));
    body.dataset.columns = columns;
  }
  for (const [place, each] of data.rows.entries()) {
    const waiting = body.edits.filter((edit) => edit.code === each.code);
    const chosen = Object.fromEntries(waiting.map((edit) => [edit.what, edit.value]));
    show(body.rows[place].parts, { ...each, ...chosen });
  }
}
