// Runs before the first paint, so that the colour scheme does not flash.
try {
  const theme = localStorage.getItem('theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
  if (localStorage.getItem('density') === 'compact') document.documentElement.dataset.density = 'compact'
} catch {
  // Storage is disabled: use the scheme of the system.
}
