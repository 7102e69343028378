import type { Change } from '../../core/change.ts'
import type { Firewall } from './context.ts'

interface Own {
  readonly action: string
  readonly decide: () => Promise<Change>
  readonly signal: AbortSignal
}

/** Carries out a change that nobody asked for. */
export function carryOut({ execute }: Firewall, { action, decide, signal }: Own) {
  const entry = {
    action,
    user_id: null,
    key_id: null,
    ip: 'local',
    method: 'POST',
    path: '/api/firewall',
    request: '{}',
    request_id: action,
  }
  return execute({ decide, actor: { entry }, keepsReply: false, signal, actSignal: signal })
}
