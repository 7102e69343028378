import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A repository that git can clone over http from loopback. */
export interface GitDoor {
  readonly url: string
  [Symbol.dispose](): void
}

/** Creates a repository with one commit and serves its files as a plain web server would. */
export async function openGitDoor(files: Readonly<Record<string, string>>): Promise<GitDoor> {
  const root = mkdtempSync(join(tmpdir(), 'git-door-'))
  const git = (...args: readonly string[]) =>
    execFileSync(
      'git',
      ['-C', join(root, 'work'), '-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args],
      { stdio: 'pipe' },
    )
  execFileSync('git', ['init', '-q', '-b', 'main', join(root, 'work')])
  for (const [name, content] of Object.entries(files)) writeFileSync(join(root, 'work', name), content)
  git('add', '.')
  git('commit', '-q', '-m', 'Begin')
  execFileSync('git', ['clone', '-q', '--bare', join(root, 'work'), join(root, 'site.git')])
  execFileSync('git', ['-C', join(root, 'site.git'), 'update-server-info'])
  const server = createServer((request, reply) => {
    const path = join(root, new URL(request.url ?? '/', 'http://localhost').pathname)
    if (!path.startsWith(`${root}/site.git/`) || !existsSync(path) || !statSync(path).isFile())
      return reply.writeHead(404).end()
    reply.end(readFileSync(path))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/site.git`,
    [Symbol.dispose]: () => {
      server.closeAllConnections()
      server.close()
      rmSync(root, { recursive: true, force: true })
    },
  }
}
