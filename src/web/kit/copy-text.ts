/**
 * Copies a text to the clipboard and returns true on success; without https it copies a selection instead.
 */
export async function copyText(text: string): Promise<boolean> {
  const clipboard: Clipboard | undefined = navigator.clipboard
  if (clipboard !== undefined) {
    const isCopied = await clipboard.writeText(text).then(
      () => true,
      () => false, // not permitted; copying a selection may be
    )
    if (isCopied) return true
  }
  return copySelected(text)
}

function copySelected(text: string): boolean {
  const before = document.activeElement
  const field = Object.assign(document.createElement('textarea'), {
    value: text,
    readOnly: true,
    ariaLabel: 'Text to copy',
  })
  field.style.position = 'fixed'
  field.style.opacity = '0'
  document.body.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (before instanceof HTMLElement) before.focus({ preventScroll: true })
  return isCopied
}
