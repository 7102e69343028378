import type { StepKind } from '../../../core/change.ts'
import { finalStep } from '../../../core/steps.ts'
import { isRecord } from '../json5.ts'
import { textOf } from './chat.ts'

/** Calls a method of the gateway. */
export type Ask = (method: string, params?: object) => Promise<Readonly<Record<string, unknown>>>

/** A conversation with the assistant. */
export interface ChatSession {
  readonly key: string
  readonly title: string
  /** When it was last used, in milliseconds since 1970; undefined if it never was. */
  readonly updatedAtMs: number | undefined
}

export interface LastReply {
  readonly text: string
  readonly atMs: number | undefined
}

const mostSessions = 500
const mostMessages = 20
const longest = 500

/** The conversation that is always there. */
const mainSession = 'agent:main:main'

/** Lists the conversations, the last used first. */
export async function listSessions(ask: Ask): Promise<readonly ChatSession[]> {
  const { sessions } = await ask('sessions.list', { limit: mostSessions })
  return listOf(sessions)
    .flatMap((each): readonly ChatSession[] => {
      const { key, displayName, label, updatedAt } = each
      if (typeof key !== 'string' || !/^[\x21-\x7e]{1,500}$/.test(key)) return []
      const title = [label, displayName].find(
        (text): text is string => typeof text === 'string' && text !== '',
      )
      return [
        {
          key,
          title: onOneLine(title ?? key).slice(0, longest),
          updatedAtMs: typeof updatedAt === 'number' ? updatedAt : undefined,
        },
      ]
    })
    .slice(0, mostSessions)
    .toSorted((one, other) => (other.updatedAtMs ?? 0) - (one.updatedAtMs ?? 0))
}

/** Returns the last answer of the assistant in a conversation; undefined if there is none. */
export async function lastReply(ask: Ask, sessionKey: string): Promise<LastReply | undefined> {
  const { messages } = await ask('chat.history', { sessionKey, limit: mostMessages })
  const found = listOf(messages).findLast(({ role }) => role === 'assistant')
  if (found === undefined) return undefined
  const { timestamp } = found
  return { text: textOf(found), atMs: typeof timestamp === 'number' ? timestamp : undefined }
}

interface ClearArgs {
  /** Null: all of them. */
  readonly key: string | null
}

/** The step that empties one conversation, or all of them; the main one is emptied, the others are removed. */
export const clearSessions = (ask: Ask): StepKind<ClearArgs, null, { cleared: number }> =>
  finalStep<ClearArgs, null, { cleared: number }>({
    name: 'openclaw.clear-sessions',
    plan: ({ key }) => ({
      title: key === null ? 'Clear all conversations' : `Clear the conversation ${key}`,
    }),
    why: 'the conversations are gone for good',
    act: async ({ key }) => {
      const keys = key === null ? (await listSessions(ask)).map((each) => each.key) : [key]
      for (const each of keys)
        if (each === mainSession || key !== null) await ask('sessions.reset', { key: each })
        else await ask('sessions.delete', { key: each })
      return { cleared: keys.length }
    },
    isDone: async () => undefined,
  })

/** The objects of a list that the gateway sent. */
export const listOf = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.filter(isRecord) : []

/** A text that others chose, without control characters. */
export const onOneLine = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f]/g, ' ')
