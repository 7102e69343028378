import { socketToken } from '../../core/guard.ts'
import { socket } from '../../core/reply.ts'
import { endpoint } from './context.ts'
import { TerminalPath, TerminalQuery } from './model.ts'
import { wantedTerminal } from './open.ts'
import { NoAccount, TooManyTerminals } from './problems.ts'

export const openTerminal = endpoint({
  method: 'GET',
  base: '/users',
  path: '/{uid}/terminal',
  summary: 'Open a terminal of a user, or show one again',
  description:
    'Binary messages carry bytes both ways. Text messages are JSON: the client sends `{"type":"resize","cols":80,"rows":24}` and `{"type":"close"}`, which ends the shell; the panel sends `{"type":"opened","terminal":"…","resumed":false}` first and `{"type":"exit","code":0}` last. A terminal whose connection is lost is kept for two minutes.',
  effect: 'probes',
  guard: socketToken('terminal'),
  params: TerminalPath,
  query: TerminalQuery,
  reply: socket,
  throws: { bad_request: NoAccount, conflict: TooManyTerminals },
  target: ({ terminal, params, query, caller, tokenUserId }) =>
    wantedTerminal(terminal, { uid: params.uid, query, caller, tokenUserId }),
  run: ({ terminal, target }) => terminal.open.show(target),
})
