export { terminal } from './area.ts'
export { type FromTerminal, readMessage } from './messages.ts'
export { Session } from './session.ts'
