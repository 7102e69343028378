import type { AccessAction } from '../../tools/nginx/index.ts'
import type { ActionOptions, Ruleset } from './model.ts'
import { OptionInvalid } from './problems.ts'

type Action = Ruleset['action']

const optionsOf: Readonly<Record<Action, readonly (keyof ActionOptions)[]>> = {
  allow: [],
  log: [],
  block: ['status', 'page'],
  challenge: ['hours'],
  redirect: ['status', 'url'],
  rate_limit: ['requests'],
}
const redirects = [301, 302, 303, 307, 308]

/** Returns the options of an action with its defaults, or refuses those that it has not. */
export function checkedOptions(action: Action, given: ActionOptions): ActionOptions {
  const known = new Set<string>([...optionsOf[action], 'on_failure'])
  const foreign = Object.keys(given).find((name) => !known.has(name))
  if (foreign !== undefined) throw OptionInvalid(`action_options.${foreign}: is no option of ${action}`)
  const does = actionOf(action, given)
  if (does.action === 'block' && !isBlocking(does.status))
    throw OptionInvalid('action_options.status: must be from 400 to 451, or 503, for block')
  if (does.action === 'redirect') assertRedirect(does)
  const { action: _, ...options } = does
  return { ...options, on_failure: given.on_failure ?? 'open' }
}

/** Returns what nginx does with a request that matches. */
export function actionOf(action: Action, options: ActionOptions): AccessAction {
  const { status, page = null, url = '', requests = 60, hours = 24 } = options
  if (action === 'block') return { action, status: status ?? 403, page }
  if (action === 'redirect') return { action, status: status ?? 302, url }
  if (action === 'rate_limit') return { action, requests }
  return action === 'challenge' ? { action, hours } : { action }
}

const isBlocking = (status: number): boolean => status === 503 || (status >= 400 && status <= 451)

function assertRedirect({ status, url }: { readonly status: number; readonly url: string }): void {
  if (!redirects.includes(status))
    throw OptionInvalid(`action_options.status: must be one of ${redirects.join(', ')} for redirect`)
  if (!/^(?:\/(?![/\\])|https?:\/\/[0-9A-Za-z[])[!-~]*$/.test(url))
    throw OptionInvalid(
      'action_options.url: must be a path such as /sorry, or a URL with http:// or https://',
    )
}
