import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { Terminal } from '@xterm/xterm'
import '@xterm/xterm/css/xterm.css'

interface Options {
  readonly label: string
  readonly onTyped: (text: string) => void
  readonly onResized: (cols: number, rows: number) => void
  /** F6 was pressed: the keyboard is to leave the terminal. */
  readonly onLeave: () => void
}

/** A terminal on the page. */
export interface Screen {
  write(bytes: Uint8Array): void
  clear(): void
  focus(): void
  selection(): string
  paste(text: string): void
  /** Shows the next place of a text, or the one before. */
  find(text: string, isBackwards: boolean): boolean
  close(): void
}

const theme = {
  background: '#10141b',
  foreground: '#e6e9ef',
  cursor: '#e6e9ef',
  selectionBackground: '#3b5bdb',
}

/** Opens a terminal in an element; it keeps the element's size. */
export function openScreen(element: HTMLElement, { label, onTyped, onResized, onLeave }: Options): Screen {
  const terminal = new Terminal({
    theme,
    fontFamily: 'ui-monospace, "Cascadia Mono", Menlo, monospace',
    fontSize: 14,
    scrollback: 5000,
    minimumContrastRatio: 4.5,
    allowProposedApi: true,
  })
  const fit = new FitAddon()
  const search = new SearchAddon()
  terminal.loadAddon(fit)
  terminal.loadAddon(search)
  withNonce(document, () => terminal.open(element))
  terminal.textarea?.setAttribute('aria-label', label)
  terminal.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown') return true
    if (event.key === 'F6') {
      event.preventDefault()
      onLeave()
      return false
    }
    return !(event.ctrlKey && event.shiftKey && ['C', 'V'].includes(event.key))
  })
  terminal.onData(onTyped)
  terminal.onResize(({ cols, rows }) => onResized(cols, rows))
  const watch = new ResizeObserver(() => {
    if (element.clientWidth > 0) fit.fit()
  })
  watch.observe(element)
  fit.fit()
  onResized(terminal.cols, terminal.rows)
  return {
    write: (bytes) => terminal.write(bytes),
    clear: () => terminal.reset(),
    focus: () => terminal.focus(),
    selection: () => terminal.getSelection(),
    paste: (text) => terminal.paste(text),
    find: (text, isBackwards) => (isBackwards ? search.findPrevious(text) : search.findNext(text)),
    close: () => {
      watch.disconnect()
      terminal.dispose()
    },
  }
}

/**
 * The panel allows only styles with its nonce, which the terminal does not give to those that it creates as it opens: it creates one
 * of them by the document of the window, whatever other it is given.
 */
function withNonce(page: Document, open: () => void): void {
  const nonce = page.querySelector('meta[name="csp-nonce"]')?.getAttribute('content') ?? ''
  const plain = page.createElement.bind(page)
  const value = (name: string) => {
    const created = plain(name)
    if (name === 'style') created.setAttribute('nonce', nonce)
    return created
  }
  Object.defineProperty(page, 'createElement', { configurable: true, value })
  try {
    open()
  } finally {
    Reflect.deleteProperty(page, 'createElement')
  }
}
