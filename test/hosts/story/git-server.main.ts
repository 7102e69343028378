import { existsSync } from 'node:fs'
import { serveGit } from '../../support/git-http.ts'

// node git-server.main.ts ROOT ADDRESS PORT: serves bare repositories to ann; while ROOT/slow exists it holds every answer back.
const [root = '', host = '', port = ''] = process.argv.slice(2)
const server = await serveGit({ root, host, port: Number(port), user: { name: 'ann', password: 'the token of ann' } })
server.intercept = async () => {
  if (!existsSync(`${root}/slow`)) return false
  await new Promise(() => {})
  return true
}
