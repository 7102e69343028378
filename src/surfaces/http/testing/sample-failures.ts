import { at } from '../../../core/endpoint.ts'
import { problem } from '../../../core/problem.ts'
import Type from 'typebox'
import { succeeded } from '../../../core/reply.ts'
import { Text } from '../../../core/schemas.ts'
import { endpoint } from './sample-context.ts'

const Hinted = problem('bad_request', 400, 'Hinted', { fields: Type.Object({ hint: Text(20) }) })
const Hidden = problem('hidden', 418, 'Declared nowhere')

const notDeclared = { trace: 'not for callers' }

/** Endpoints that fail: with declared and undeclared problems, a bug, and another status. */
export const failures = {
  readHidden: endpoint({
    method: 'GET',
    path: '/hidden',
    summary: 'Undeclared',
    effect: 'reads',
    reply: succeeded,
    run: () => {
      throw Hidden('hidden text')
    },
  }),
  readBug: endpoint({
    method: 'GET',
    path: '/bug',
    summary: 'Bug',
    effect: 'reads',
    reply: succeeded,
    run: () => {
      throw new Error('secret text of a bug')
    },
  }),
  readUnreadable: endpoint({
    method: 'GET',
    path: '/unreadable',
    summary: 'Unreadable',
    effect: 'reads',
    reply: succeeded,
    run: () => {
      const error = new Error('EIO: i/o error')
      throw Object.assign(error, { code: 'EIO', errno: -5, syscall: 'read', path: '/etc/boxes' })
    },
  }),
  readTeapot: endpoint({
    method: 'GET',
    path: '/teapot',
    summary: 'Other status',
    effect: 'reads',
    reply: succeeded,
    throws: { brewing: at(503, Hidden) },
    run: () => {
      throw Hidden('too hot')
    },
  }),
  readRefused: endpoint({
    method: 'GET',
    path: '/refuse',
    summary: 'Refuse',
    effect: 'reads',
    reply: succeeded,
    throws: { bad_request: Hinted },
    run: () => {
      throw Hinted('n: is wrong', { fields: { hint: 'try 2', ...notDeclared } })
    },
  }),
}
