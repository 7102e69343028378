import { spawn } from 'node:child_process'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import type { AddressInfo } from 'node:net'

/** A git server over http (git-http-backend(1)), as nginx with fcgiwrap is one. */
export interface GitHttp {
  readonly port: number
  /** A request: method, path, and the user who signed in. */
  readonly asked: readonly string[]
  /** Called before a request is carried out: it may answer by itself, or hold it back. */
  intercept: ((request: IncomingMessage, response: ServerResponse) => Promise<boolean>) | undefined
  close(): Promise<void>
}

export interface GitHttpOptions {
  /** The folder of the bare repositories. */
  readonly root: string
  readonly host?: string
  readonly port?: number
  /** Name and password that `/private…` and every push require. */
  /** Serves https with this certificate. */
  readonly tls?: { readonly key: string; readonly cert: string }
  readonly user?: { readonly name: string; readonly password: string }
}

/** Serves the bare repositories of a folder. */
export async function serveGit(options: GitHttpOptions): Promise<GitHttp> {
  const asked: string[] = []
  const made = { intercept: undefined as GitHttp['intercept'] }
  const take = (request: IncomingMessage, response: ServerResponse) =>
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error))
  const server = options.tls ? createTlsServer(options.tls, take) : createServer(take)
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://x')
    const [name, password] = Buffer.from(
      (request.headers.authorization ?? '').replace(/^Basic /, ''),
      'base64',
    )
      .toString()
      .split(':')
    asked.push(`${request.method} ${url.pathname}${url.search} ${name ?? ''}`)
    if ((await made.intercept?.(request, response)) === true) return
    const wantsUser =
      url.pathname.startsWith('/private') || `${url.pathname}${url.search}`.includes('git-receive-pack')
    if (options.user && wantsUser && (name !== options.user.name || password !== options.user.password)) {
      response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end()
      return
    }
    backend(options.root, request, response, url, name)
  }
  await listening(server, options)
  const close = async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  return Object.assign(made, { asked, port: (server.address() as AddressInfo).port, close })
}

function backend(
  root: string,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  user: string | undefined,
): void {
  const child = spawn('git', ['http-backend'], {
    env: {
      PATH: process.env['PATH'],
      GIT_PROJECT_ROOT: root,
      GIT_HTTP_EXPORT_ALL: '1',
      GIT_CONFIG_COUNT: '2',
      ...{
        GIT_CONFIG_KEY_0: 'safe.directory',
        GIT_CONFIG_VALUE_0: '*',
        GIT_CONFIG_KEY_1: 'http.receivepack',
        GIT_CONFIG_VALUE_1: 'true',
      },
      PATH_INFO: decodeURIComponent(url.pathname),
      QUERY_STRING: url.search.slice(1),
      REQUEST_METHOD: request.method,
      CONTENT_TYPE: request.headers['content-type'] ?? '',
      HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      HTTP_GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
      REMOTE_ADDR: '127.0.0.1',
      ...(user && { REMOTE_USER: user }),
    },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  request.pipe(child.stdin).on('error', () => {})
  let head = Buffer.alloc(0)
  let isOpen = false
  child.stdout.on('data', (part: Buffer) => {
    if (isOpen) return void response.write(part)
    head = Buffer.concat([head, part])
    const end = head.indexOf('\r\n\r\n')
    if (end < 0) return
    isOpen = true
    const headers = new Map(
      head
        .subarray(0, end)
        .toString()
        .split('\r\n')
        .map((line) => [
          line.slice(0, line.indexOf(':')).toLowerCase(),
          line.slice(line.indexOf(':') + 1).trim(),
        ]),
    )
    response.statusCode = Number.parseInt(headers.get('status') ?? '200', 10)
    for (const [name, value] of headers) if (name !== 'status') response.setHeader(name, value)
    response.write(head.subarray(end + 4))
  })
  child.stdout.on('end', () => response.end())
}

function listening(server: Server, { host = '127.0.0.1', port = 0 }: GitHttpOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
}
