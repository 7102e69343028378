import Type from 'typebox'
import { problem } from '../../core/problem.ts'

export const PortHeld = problem('conflict', 409, 'Another program listens on this port', {
  fields: Type.Object({
    port: Type.Integer({ description: 'The port' }),
    process: Type.String({ description: 'The program that listens on it' }),
    pid: Type.Integer({ description: 'Its process' }),
  }),
})
export const NoSuchAdvice = problem('bad_request', 400, 'There is no such advice')
