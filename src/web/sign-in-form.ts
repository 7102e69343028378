import { auth } from '../areas/auth/web/api.ts'
import { urlOf } from './call.ts'
import { reach } from './connection.ts'
import { canUsePasskeys } from './passkeys.ts'
import { enter } from './session.ts'
import { failureOf } from './failure-of.ts'
import { ApiError, textOf, type Tokens } from './wire.ts'

const limitMs = 70_000
type Fields = Readonly<Record<'email' | 'password' | 'otp', HTMLInputElement>>

/**
 * Shows the sign-in form and returns a function that removes it. `onTyping` is called with the first input,
 * to load what comes after the form.
 */
export function openSignInForm(onTyping: () => void): () => void {
  const template = document.querySelector<HTMLTemplateElement>('#sign-in') as HTMLTemplateElement
  const page = (template.content.cloneNode(true) as DocumentFragment).firstElementChild as HTMLElement
  const form = page.querySelector('form') as HTMLFormElement
  const fields: Fields = {
    email: inputOf(form, 'email'),
    password: inputOf(form, 'password'),
    otp: inputOf(form, 'otp'),
  }
  textIn(page, '.sign-in-host', location.host)
  form.addEventListener('input', onTyping, { once: true })
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void submit(form, fields)
  })
  form.querySelector('.sign-in-other')?.addEventListener('click', () => switchCode(form, fields.otp))
  offerPasskey(form)
  document.title = 'Sign in · Hostreeve'
  document.body.prepend(page)
  fields.email.focus()
  return () => page.remove()
}

/** Browsers have no passkeys for IP addresses or without HTTPS, and older ones none at all. */
function offerPasskey(form: HTMLFormElement): void {
  const button = form.querySelector<HTMLButtonElement>('.sign-in-passkey')
  if (button === null || !canUsePasskeys()) return
  button.hidden = false
  button.addEventListener('click', () => {
    button.disabled = true
    textIn(form, '.sign-in-failure', '')
    void import('./passkey-sign-in.ts')
      .then(({ signInWithPasskey }) => signInWithPasskey())
      .catch((error: unknown) => textIn(form, '.sign-in-failure', textOf(error)))
      .finally(() => (button.disabled = false))
  })
}

async function submit(form: HTMLFormElement, fields: Fields): Promise<void> {
  const email = fields.email.value.trim()
  textIn(form, '.sign-in-failure', '')
  const isComplete = [
    check(fields.otp, ''),
    check(fields.password, fields.password.value === '' ? 'Must not be empty' : ''),
    check(fields.email, /^\S+@\S+$/.test(email) ? '' : 'Must be an e-mail address'),
  ].every(Boolean)
  if (!isComplete) return
  const button = submitOf(form)
  button.disabled = true
  try {
    enter(await askForTokens(email, fields.password.value, fields.otp.value.trim()))
  } catch (error) {
    if (!askForCode(form, error)) await refuse(form, error)
  } finally {
    button.disabled = false
    const next = isCodeAsked(form) ? fields.otp : fields.password
    next.focus()
    next.select()
  }
}

const codeOf = (form: HTMLFormElement) => form.querySelector('.sign-in-code') as HTMLElement
const isCodeAsked = (form: HTMLFormElement): boolean => !codeOf(form).hidden

/** Shows the field of the code if that is all that the panel misses; says so only where it was shown before. */
function askForCode(form: HTMLFormElement, error: unknown): boolean {
  if (!(error instanceof ApiError) || error.code !== 'otp_required') return false
  if (isCodeAsked(form)) check(inputOf(form, 'otp'), 'Must not be empty')
  codeOf(form).hidden = false
  return true
}

/** Recovery codes have letters, which the numeric keyboard of a phone lacks. */
function switchCode(form: HTMLFormElement, otp: HTMLInputElement): void {
  const isNumeric = otp.inputMode === 'numeric'
  otp.inputMode = isNumeric ? 'text' : 'numeric'
  otp.value = ''
  textIn(form, 'label[for=sign-in-otp]', isNumeric ? 'Recovery code' : 'Code of your authenticator app')
  textIn(form, '.sign-in-other', isNumeric ? 'Use the authenticator app' : 'Use a recovery code')
  otp.focus()
}

/** Shows what is wrong with a field, and focuses it. */
function check(input: HTMLInputElement, issue: string): boolean {
  input.setAttribute('aria-invalid', String(issue !== ''))
  textIn(input.form as HTMLFormElement, `#${input.id}-issue`, issue)
  if (issue) input.focus()
  return issue === ''
}

async function askForTokens(email: string, password: string, otp: string): Promise<Tokens> {
  const call = auth.signIn({ body: { email, password, ...(otp && { otp }), cookie: true } })
  const answer = await reach(urlOf(call), {
    method: call.method,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(call.body),
    signal: AbortSignal.timeout(limitMs),
  })
  if (answer.ok) return ((await answer.json()) as { data: Tokens }).data
  throw Object.assign(await failureOf(answer), {
    waitSeconds: Number(answer.headers.get('retry-after') ?? 0),
  })
}

/** Shows a refusal; one that names a wait counts it down, and then the form can be sent again. */
async function refuse(form: HTMLFormElement, error: unknown): Promise<void> {
  const { waitSeconds = 0 } = error as { readonly waitSeconds?: number }
  const say = (text: string) => textIn(form, '.sign-in-failure', text)
  if (waitSeconds === 0) return say(textOf(error))
  const button = submitOf(form)
  say(textOf(error))
  for (let left = waitSeconds; left > 0 && form.isConnected; left--) {
    button.textContent = `Wait ${left} s`
    await new Promise((resolve) => setTimeout(resolve, 1000))
  }
  button.textContent = 'Sign in'
  say('')
}

const submitOf = (form: HTMLFormElement) => form.querySelector('[type=submit]') as HTMLButtonElement

const inputOf = (form: HTMLFormElement, name: string): HTMLInputElement =>
  form.elements.namedItem(name) as HTMLInputElement

function textIn(parent: Element, selector: string, text: string): void {
  const element = parent.querySelector(selector)
  if (element) element.textContent = text
}
