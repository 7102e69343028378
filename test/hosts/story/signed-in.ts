import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { createInterface } from 'node:readline'
import type { Panel, PanelRequest } from '../harness/index.ts'

/** A reply of the panel, with its JSON parsed. */
export interface Answer {
  readonly status: number
  /** The data of a success. */
  readonly data: any
  readonly code: string | undefined
  readonly message: string
  /** The whole error, with fields such as `diff`. */
  readonly error: Readonly<Record<string, unknown>>
  /** The unparsed body. */
  readonly bytes: Buffer
}

/** A user of a panel who has signed in. */
export class SignedIn {
  readonly panel: Panel
  readonly token: string

  constructor(panel: Panel, token: string) {
    this.panel = panel
    this.token = token
  }

  static async as(panel: Panel, email?: string, password?: string): Promise<SignedIn> {
    return new SignedIn(panel, await panel.signIn(email, password))
  }

  /** Sends a request and returns any reply. */
  async ask(method: string, path: string, body?: unknown, options: PanelRequest = {}): Promise<Answer> {
    const response = await this.panel.request(method, path, {
      token: this.token,
      ...(body !== undefined && { body }),
      timeoutMs: 120_000,
      ...options,
    })
    const json = (response.text.startsWith('{') ? response.json() : {}) as {
      data?: any
      error?: Record<string, unknown>
    }
    const error = json.error ?? {}
    const code = typeof error['code'] === 'string' ? error['code'] : undefined
    return {
      status: response.status,
      data: json.data,
      code,
      message: String(error['message'] ?? ''),
      error,
      bytes: response.bytes,
    }
  }

  /** Sends a request that must succeed; returns its data. */
  async must(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.ask(method, path, body)
    assert.ok(
      answer.status < 300,
      `${method} ${path} answered ${answer.status} ${answer.code}: ${answer.message}`,
    )
    return answer.data
  }

  /** Uploads a file as a browser does: multipart/form-data, the fields before the file. */
  upload(
    fields: Readonly<Record<string, string>>,
    fileName: string,
    content: Uint8Array | string,
    options: PanelRequest = {},
  ): Promise<Answer> {
    const mark = 'upload-0123456789'
    const field = ([name, value]: readonly [string, string]) =>
      `--${mark}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
    const head = `--${mark}\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\nContent-Type: application/octet-stream\r\n\r\n`
    const body = Buffer.concat([
      Buffer.from(Object.entries(fields).map(field).join('') + head),
      Buffer.from(content),
      Buffer.from(`\r\n--${mark}--\r\n`),
    ])
    return this.ask('POST', '/api/filemanager/upload', body, {
      headers: { 'content-type': `multipart/form-data; boundary=${mark}` },
      ...options,
    })
  }

  /** Opens an event stream; resolves when its headers have arrived. */
  async openStream(path: string): Promise<IncomingMessage> {
    const { HOSTREEVE_HOST: address, HOSTREEVE_PORT: port } = this.panel.environment
    return this.panel.host.open({
      path,
      address,
      port: Number(port),
      headers: { authorization: `Bearer ${this.token}` },
      timeoutMs: 180_000,
    })
  }

  /** Follows a job through its event stream to the end; returns its events. */
  async followJob(id: number): Promise<readonly StreamedEvent[]> {
    const events: StreamedEvent[] = []
    for await (const event of eventsOf(await this.openStream(`/api/jobs/${id}/events`))) events.push(event)
    return events
  }

  /** Returns the latest job of a kind: jobs of the panel's own schedules begin at any time. */
  async latestJob(kind: string): Promise<any> {
    const { items } = await this.must('GET', `/api/jobs?search=${kind}&sort=-id`)
    return items.find((job: { readonly kind: string }) => job.kind === kind)
  }

  /** Installs nginx through a job, and waits for its end. */
  async installNginx(): Promise<readonly StreamedEvent[]> {
    const events = await this.followJob((await this.must('POST', '/api/programs/nginx/install')).job_id)
    assert.equal(events.at(-1)?.['state'], 'succeeded', JSON.stringify(events.slice(-5)))
    const next = await this.latestJob('programs.serve_again')
    return [...events, ...(await this.followJob(next.id))]
  }

  /** Creates a user without a Linux account who has these permissions, and signs in. */
  async withPermissions(name: string, permissions: readonly string[]): Promise<SignedIn> {
    const [email, password] = [`${name}@hosts.test`, `the password of ${name}`]
    const draft = { email, password, fullname: name, permissions }
    await this.must('POST', '/api/users', draft)
    return SignedIn.as(this.panel, email, password)
  }

  /** Creates a user who owns a Linux account and may have websites; returns that user, signed in. */
  async makeOwner(username: string): Promise<Owner> {
    const password = `the password of ${username}`
    const email = `${username}@hosts.test`
    const user = await this.must('POST', '/api/users', {
      email,
      password,
      fullname: `Owner ${username}`,
      username,
    })
    await this.must('POST', `/api/users/${user.id}/permissions`, { permissions: ['websites_management'] })
    return {
      username,
      userId: user.id,
      email,
      password,
      signedIn: await SignedIn.as(this.panel, email, password),
    }
  }
}

/** A hosting user of the story. */
export interface Owner {
  readonly username: string
  readonly userId: number
  readonly email: string
  readonly password: string
  readonly signedIn: SignedIn
}

export type StreamedEvent = Readonly<Record<string, unknown>>

/** The events of an open stream, until the panel ends it. */
export async function* eventsOf(stream: IncomingMessage): AsyncGenerator<StreamedEvent> {
  assert.equal(stream.statusCode, 200)
  for await (const line of createInterface({ input: stream }))
    if (line.startsWith('data: ')) yield JSON.parse(line.slice(6))
}
