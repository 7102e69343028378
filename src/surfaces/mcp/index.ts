export { openMcp } from './answer.ts'
export type { OwnAnswer, OwnCall, OwnRequest, ToolCall } from './call-tool.ts'
export { type AgentTokens, openAgentTokens } from './tokens.ts'
