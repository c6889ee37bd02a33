// Keyboards and screen readers continue from the focused element, so there must always be one.

/** Focuses the title of the page. */
export function focusTitle(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
}

const CONTROLS = ':is(input, select, textarea, button):enabled'

/** Focuses a control of the open dialog or, without one, the title of the page. */
function focusSomething(): void {
  const dialog = [...document.querySelectorAll('dialog:modal')].findLast((one) => one.checkVisibility())
  if (dialog) dialog.querySelector<HTMLElement>(CONTROLS)?.focus()
  else focusTitle()
}

/** Focuses another element whenever the focused one disappears. Returns a function that stops it. */
export function keepFocus(): () => void {
  let last: Element | undefined
  const remember = ({ target }: Event): void => {
    last = target instanceof Element ? target : undefined
  }
  // A click outside of all controls removes the focus on purpose.
  const forget = (): void => {
    last = undefined
  }
  const look = (): void => {
    if (!last || (last.isConnected && last.checkVisibility())) return
    if (document.activeElement === null || document.activeElement === document.body) focusSomething()
  }
  const observer = new MutationObserver(look)
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ['hidden', 'open'] })
  document.addEventListener('focusin', remember)
  document.addEventListener('pointerdown', forget)
  return () => {
    observer.disconnect()
    document.removeEventListener('focusin', remember)
    document.removeEventListener('pointerdown', forget)
  }
}
