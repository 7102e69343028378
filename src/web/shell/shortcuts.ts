import { useEffect, useEffectEvent } from 'react'

/** What a key of the whole panel does. */
export type Shortcut = 'palette' | 'search' | 'shortcuts'

/** The keys of the whole panel, for the list of shortcuts. */
export const shortcutKeys: readonly { readonly keys: readonly string[]; readonly does: string }[] = [
  { keys: ['Ctrl', 'K'], does: 'Search pages, websites, users and actions (Cmd K on a Mac)' },
  { keys: ['/'], does: 'Search the list on the page' },
  { keys: ['?'], does: 'Show the keyboard shortcuts' },
  { keys: ['Esc'], does: 'Close a dialog or menu' },
]

type Pressed = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>

/** Returns the shortcut of a key; single characters are none while the reader types or a dialog is open. */
export function shortcutOf(pressed: Pressed, isBusy: boolean): Shortcut | undefined {
  const { key, ctrlKey, metaKey, altKey, shiftKey } = pressed
  if (altKey) return undefined
  if (ctrlKey || metaKey) return key.toLowerCase() === 'k' && !shiftKey ? 'palette' : undefined
  if (isBusy) return undefined
  return key === '/' ? 'search' : key === '?' ? 'shortcuts' : undefined
}

const typedIn =
  'input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable], .cm-editor, .xterm'

/** Calls back for each shortcut, unless the focused editor or list has taken the key. */
export function useShortcuts(onShortcut: (shortcut: Shortcut) => void): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const isTyping = event.target instanceof Element && event.target.closest(typedIn) !== null
    const shortcut = shortcutOf(event, isTyping || document.querySelector('[aria-modal=true]') !== null)
    if (shortcut === undefined) return
    event.preventDefault()
    onShortcut(shortcut)
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    document.addEventListener('keydown', listen)
    return () => document.removeEventListener('keydown', listen)
  }, [])
}

/** Focuses the search of the list on the page, if it has one. */
export function focusSearch(): void {
  const fields = document.querySelectorAll<HTMLInputElement>('main input[type=search]')
  const search = [...fields].find((each) => each.checkVisibility() && !each.disabled)
  search?.focus()
  search?.select()
}
