import type { AgentAnswer, AgentBudget } from '../../core/agent.ts'
import { Problem, type ProblemKind } from '../../core/problem.ts'
import type { Route } from '../routes.ts'

/** The result of a tool in the shape of MCP. */
export interface ToolResult {
  readonly content: readonly { readonly type: 'text'; readonly text: string }[]
  readonly isError: boolean
  readonly _meta?: Readonly<Record<string, unknown>>
}

/** An answer for an agent. */
export interface ToolAnswer extends AgentAnswer {
  /** The plan that it is about, if it is about one. */
  readonly planId?: number
}

/** Shows the answer of an endpoint to an agent. */
export function resultOf(
  { status, text, isTruncated, planId }: ToolAnswer,
  found: readonly Route[],
): ToolResult {
  const meta = {
    ...(planId !== undefined && { plan_id: planId }),
    ...(isTruncated && { truncated: true }),
    ...(found.some(hasForeignText) && { untrusted: true }),
  }
  return textResult(`HTTP ${status}\n${pretty(text)}`, status >= 400, meta)
}

/** Files, logs and mail contain what anybody may have written: an agent must not take it for instructions. */
const hasForeignText = ({ area, endpoint, path }: Route): boolean =>
  ['bytes', 'events', 'followed'].includes(endpoint.reply.kind) ||
  ['filemanager', 'mail', 'activity'].includes(area.name) ||
  /\/(?:logs|queue)\b/.test(path)

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** Makes a result of one text. */
export function textResult(
  text: string,
  isError: boolean,
  meta: Readonly<Record<string, unknown>> = {},
): ToolResult {
  return {
    content: [{ type: 'text', text }],
    isError,
    ...(Object.keys(meta).length > 0 && { _meta: meta }),
  }
}

/** A failure before the request, in the form of its answer. */
export function failed(error: unknown): ToolResult {
  if (!(error instanceof Problem)) throw error
  const { status, code }: ProblemKind = error.kind
  return textResult(
    `HTTP ${status}\n${pretty(JSON.stringify({ error: { code, message: error.message } }))}`,
    true,
  )
}

/** Cuts a result to the bytes that a budget allows; its first line, which tells what happened, stays. */
export async function within(budget: AgentBudget | undefined, result: ToolResult): Promise<ToolResult> {
  if (budget === undefined) return result
  const text = Buffer.from(result.content[0]?.text ?? '')
  const allowed = await budget.countBytes(text.length)
  if (allowed >= text.length) return result
  const kept = text.subarray(0, Math.max(allowed, text.indexOf('\n')))
  return textResult(kept.toString(), result.isError, { ...result._meta, truncated: true })
}
