export { terminal } from './area.ts'
export { type FromTerminal, readMessage } from './messages.ts'
