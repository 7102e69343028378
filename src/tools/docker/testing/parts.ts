import { createHash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type { ApiRequest } from '../../../host/apply/steps.ts'
import type { RequestHeaders } from '../registry-auth.ts'

export type Labels = Readonly<Record<string, string>>

/** A container of the engine. */
export interface StandInContainer {
  readonly id: string
  name: string
  status: string
  startedAt: number
  restartPolicy: string
  readonly image: string
  readonly env: readonly string[]
  readonly command: readonly string[]
  readonly labels: Labels
  readonly binds: readonly string[]
  /** Name of the network, or `bridge`. */
  readonly network: string
  readonly ports: Readonly<Record<string, { HostIp: string; HostPort: string }[]>>
  /** As the engine writes it. */
  readonly healthCheck?: unknown
  /** True before the engine has run the health check for the first time. */
  isStarting?: boolean
  /** Its further names in its network. */
  readonly aliases?: readonly string[]
}

/** The objects of an engine in memory. */
export interface EngineState {
  readonly containers: Map<string, StandInContainer>
  /** The labels of each image, by its name. */
  readonly images: Map<string, Labels>
  /** The labels and the content of each volume. */
  readonly volumes: Map<string, { readonly labels: Labels; content: string }>
  /** The labels of each network, by its name. */
  readonly networks: Map<string, Labels>
  /** The images of the registry. */
  readonly registry: Set<string>
  /** The credentials that a registry asks for, by its name; absent for one that asks for none. */
  readonly accounts: Map<string, { readonly username: string; readonly password: string }>
  /** The command, or the image, of a container that ends at once when it is started. */
  readonly failing: Set<string>
}

/** What the engine answers. */
export interface Reply {
  readonly status: number
  readonly body: unknown
}
/** A request with its query and the bytes that it sends. */
export type Asked = ApiRequest & {
  readonly query: URLSearchParams
  readonly content?: Readable
  readonly headers?: RequestHeaders
}

/** A reply that succeeded. */
export const ok = (body: unknown = ''): Reply => ({ status: 200, body })
/** A reply with the engine's message. */
export const refused = (status: number, message: string): Reply => ({ status, body: { message } })

/** The id of an image, by its name. */
export const imageIdOf = (image: string) => `sha256:${createHash('sha256').update(image).digest('hex')}`
