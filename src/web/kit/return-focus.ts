interface Focused {
  readonly element: HTMLElement
  /** A focusable ancestor, such as its row. */
  readonly around: HTMLElement | null
}

const mostRemembered = 12

/** Returns the focus to its origin when the focused element goes away, such as a dialog or a rename field. */
export function returnFocus(document: Document): void {
  let remembered: readonly Focused[] = []
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof HTMLElement)) return
    const around = target.parentElement?.closest<HTMLElement>('[data-row]') ?? null
    remembered = [
      ...remembered.filter(({ element }) => element !== target),
      { element: target, around },
    ].slice(-mostRemembered)
  })
  const look = () => {
    const last = remembered.at(-1)
    const isLost = document.activeElement === document.body || document.activeElement === null
    if (!isLost || last === undefined || last.element.isConnected) return
    const back = [last.around, ...remembered.toReversed().map(({ element }) => element)].find(
      (each) => each?.isConnected && each.checkVisibility(),
    )
    remembered = remembered.filter(({ element }) => element.isConnected)
    back?.focus({ preventScroll: true })
  }
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true })
}
