// In a narrow window the sidebar would take a third of the page: it closes when a page opens.
// Streamlit does so on telephones only, and would keep it closed in wide windows, too.
const NARROW = 1000, OURS = "stSidebarCollapsed";

export default function ({ data }) {
  if (document.body.dataset.page === data.page) return;
  document.body.dataset.page = data.page;
  if (window.innerWidth > NARROW) return;
  const open = '[data-testid="stSidebar"][data-collapsed="false"]';
  document.querySelector(`${open} [data-testid="stSidebarCollapseButton"] button`)?.click();
  for (const name of Object.keys(localStorage)) {
    if (name.startsWith(OURS)) localStorage.removeItem(name);
  }
}
