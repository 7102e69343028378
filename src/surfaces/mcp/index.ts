export { openMcp } from './answer.ts'
export { openAgentCalls, type OwnCall, type OwnRequest } from './agent-calls.ts'
export type { ToolCall } from './call-tool.ts'
export { type AgentTokens, openAgentTokens } from './tokens.ts'
