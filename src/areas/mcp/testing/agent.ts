import type { Answer, Asked, TestPanel } from '../../../../test/support/panel.ts'

/** The result of a tool, as an agent receives it. */
export interface Called {
  readonly text: string
  /** The status in the first line of the text. */
  readonly status: number
  readonly isError: boolean
  readonly meta: any
}

/** An agent with a key. */
export interface TestAgent {
  readonly token: string
  readonly keyId: number
  /** Sends a message; a string as it is. */
  send(message: unknown, asked?: Asked): Promise<Answer>
  call(tool: string, args?: unknown): Promise<Called>
}

/** Creates a key for a user, and an agent that has it. */
export async function openAgent(panel: TestPanel, userId: number, draft: object = {}): Promise<TestAgent> {
  const { data } = await panel.request('POST', '/api/mcp-keys', {
    as: panel.admin,
    body: { user_id: userId, ...draft },
  })
  return agentWith(panel, data.token, data.key.id)
}

/** An agent that has a key. */
export function agentWith(panel: TestPanel, token: string, keyId: number): TestAgent {
  const send = (message: unknown, asked: Asked = {}) =>
    panel.request('POST', '/api/mcp', { as: token, body: message, ...asked })
  const call = async (name: string, args?: unknown): Promise<Called> => {
    const params = { name, ...(args !== undefined && { arguments: args }) }
    const { json } = await send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })
    const { content, isError, _meta: meta } = json.result
    const { text } = content[0]
    return { text, status: Number(/^HTTP (\d+)/.exec(text)?.[1]), isError, meta }
  }
  return { token, keyId, send, call }
}
