import Type from 'typebox'
import { change } from '../../../core/change.ts'
import { BadRequest } from '../../../core/problem.ts'
import { data, succeeded } from '../../../core/reply.ts'
import { Reveal, Revealed, Secret } from '../../../core/schemas.ts'
import { endpoint } from './sample-context.ts'

/** Endpoints whose bodies and replies contain secrets. */
export const secrets = {
  createKey: endpoint({
    method: 'POST',
    path: '/key',
    summary: 'Make a key',
    effect: 'changes',
    reply: data(Type.Object({ key: Revealed() })),
    run: () => change({ summary: 'Make a key', reply: { key: 'shown-only-here' } }),
  }),
  readSealed: endpoint({
    method: 'GET',
    path: '/sealed',
    summary: 'Show what is stored',
    effect: 'reads',
    query: Type.Object({ reveal: Reveal }),
    reply: data(Type.Object({ password: Secret(), isAsked: Type.Boolean() })),
    run: ({ query }) => ({ password: 'stored-and-sealed', isAsked: query.reveal }),
  }),
  refuseSealed: endpoint({
    method: 'POST',
    path: '/refused',
    summary: 'Refused and recorded',
    effect: 'changes',
    body: Type.Object({ password: Secret() }),
    recordsRefusals: true,
    reply: succeeded,
    run: () => {
      throw BadRequest('password: is wrong')
    },
  }),
}
