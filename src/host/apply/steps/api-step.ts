import type { StepKind } from '../../../core/change.ts'
import { problem } from '../../../core/problem.ts'
import { type State, stateStep, type Was } from '../../../core/steps.ts'
import { plannedObject } from './planned-object.ts'

export const ApiRefused = problem('program_failed', 500, 'The program did not do what was asked')

export interface ApiRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/** A connection to the HTTP API of a program, with its own limits of time and size. Secrets are added by the connection, never by a request. */
export interface ApiConnection {
  send(request: ApiRequest): Promise<{ readonly status: number; readonly body: unknown }>
}

interface ApiStepDraft<Args, StateOf> {
  readonly name: string
  readonly title: (args: Args) => string
  /** The name of the changed object in the plan. */
  readonly object: (args: Args) => string
  /** Returns 404 if the object does not exist. */
  readonly read: (args: Args) => ApiRequest
  /** Parses the state from a reply, which the program controls. */
  readonly stateOf: (body: unknown, args: Args) => StateOf | undefined
  readonly wanted: (args: Args, was: StateOf | undefined) => StateOf | undefined
  /** Takes the object from one state to another. The program carries out each request atomically. */
  readonly write: (args: Args, state: StateOf | undefined, now: StateOf | undefined) => readonly ApiRequest[]
  /** Formats a state for a plan: without secrets. */
  readonly show: (state: StateOf) => string
}

/** Makes a step on an object in a program that is driven through its API; its plan shows the object before and after. */
export function apiStep<Args, StateOf extends State>(
  connection: ApiConnection,
  { name, title, object, read, stateOf, wanted, write, show }: ApiStepDraft<Args, StateOf>,
): StepKind<Args, Was<StateOf>, null> {
  const present = async (args: Args) => {
    const body = await sendTo(connection, read(args))
    return body === undefined ? undefined : stateOf(body, args)
  }
  return stateStep<Args, StateOf>({
    name,
    plan: (args) => ({ title: title(args) }),
    ...plannedObject({ object, read: present, wanted, show }),
    read: present,
    wanted,
    write: async (args, state, { now }) => {
      for (const request of write(args, state, now)) await sendTo(connection, request)
    },
  })
}

const mostMessage = 2000

/** Returns the body of the reply; undefined if the object to read or remove does not exist. */
async function sendTo(connection: ApiConnection, request: ApiRequest): Promise<unknown> {
  const { status, body } = await connection.send(request)
  if (status === 404 && (request.method === 'GET' || request.method === 'DELETE')) return undefined
  if (status >= 200 && status < 300) return body
  const message = typeof body === 'string' ? body : JSON.stringify(body)
  throw ApiRefused(
    `${request.method} ${request.path}: status ${status}: ${(message ?? '').slice(0, mostMessage)}`,
  )
}
