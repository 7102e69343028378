import './sign-in.css'
import { openSignInForm } from './sign-in-form.ts'
import { mayResume, onSession, resume, session } from './session.ts'

// The first script of every page: small enough to show the sign-in form at once. The panel is loaded beside it when a
// session can be resumed, or while the user types.
const panel = () => import('./main.tsx')
let close: (() => void) | undefined

/** The switch of the panel, which keeps its choice under this name (Mantine). */
const chosen = localStorage.getItem('mantine-color-scheme-value')
if (chosen === 'light' || chosen === 'dark') document.documentElement.dataset['mantineColorScheme'] = chosen

onSession(() => {
  const { state } = session()
  if (state === 'out') close ??= openSignInForm(() => void panel().catch(() => undefined))
  if (state !== 'in') return
  close?.()
  close = undefined
  void panel().then(({ openPanel }) => openPanel())
})
if (mayResume()) void panel().then(({ openPanel }) => openPanel())
void resume()
