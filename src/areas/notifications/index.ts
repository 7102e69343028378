export { notifications } from './area.ts'
export { type Notice, noticed } from './source.ts'
export { signatureOf } from './send.ts'
