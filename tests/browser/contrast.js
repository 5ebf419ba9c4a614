() => {
  // Texts that are read with a contrast below 4.5 to 1 (WCAG 2.2, 1.4.3), each with its contrast.
  // Left out: what is disabled, icons, and texts on marks and cells of charts.
  const channels = (colour) => {
    const found = colour.match(/^(rgba?|color)\(([^)]+)\)/);
    if (!found) return [0, 0, 0, 0];
    const numbers = found[2].split(/[ ,/]+/).filter((part) => part !== "srgb").map(Number);
    const scale = found[1] === "color" ? 255 : 1;
    return [...numbers.slice(0, 3).map((each) => each * scale), numbers[3] ?? 1];
  };
  const linear = (value) => {
    const share = value / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  const luminance = ([red, green, blue]) =>
    0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
  const over = (front, back) =>
    [0, 1, 2].map((at) => front[at] * front[3] + back[at] * (1 - front[3]));
  const upwards = function* (element) {
    for (let each = element; each; each = each.parentElement) yield each;
  };
  // What is scrolled out of sight lies outside of the boxes around it, but on the same paper.
  const paper = channels(getComputedStyle(document.querySelector(".stApp")).backgroundColor);
  const ground = (element) => {
    const layers = [];
    const box = element.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    for (const each of upwards(element)) {
      const around = each.getBoundingClientRect(); // a slider's value stands above its thumb
      if (y < around.top || y > around.bottom || x < around.left || x > around.right) continue;
      const colour = channels(getComputedStyle(each).backgroundColor);
      if (colour[3] > 0) layers.push(colour);
      if (colour[3] === 1) break;
    }
    return layers.reverse().reduce((back, front) => over(front, back), paper);
  };
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode.textContent.trim();
    const element = walker.currentNode.parentElement;
    const box = element.getBoundingClientRect();
    const left = "svg:not(.main-svg), .textpoint, style, script, noscript, :disabled, [data-testid=stIconMaterial]";
    if (!text || element.closest(left) || box.width < 2 || box.height < 2) continue;
    if (!element.checkVisibility()) continue; // folded away
    let opacity = 1;
    for (const each of upwards(element)) opacity *= Number(getComputedStyle(each).opacity);
    if (opacity < 0.05 || getComputedStyle(element).visibility === "hidden") continue;
    const back = ground(element);
    const drawn = element.closest("text");
    const style = getComputedStyle(element);
    const [red, green, blue, own] = channels(drawn ? style.fill : style.color);
    const front = over([red, green, blue, own * opacity], back);
    const [low, high] = [luminance(front), luminance(back)].sort((a, b) => a - b);
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < 4.5) found.push(`${text.slice(0, 40)}: ${contrast.toFixed(2)}`);
  }
  return found;
}
