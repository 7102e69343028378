export { firewall } from './area.ts'
export { type AreaPort, openPorts } from './open-ports.ts'
export type { Firewall } from './context.ts'
export { type InputRule, inputRules } from './input-rules.ts'
