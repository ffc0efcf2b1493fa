// Sets the chosen color scheme before the page is drawn. Without a choice, the page has that of the system.
try {
  document.documentElement.dataset.theme = localStorage.getItem('tawthiq-docs-theme') ?? ''
} catch {
  // the browser blocks storage
}
