import { existsSync, readFileSync } from 'node:fs'
import { serveGit } from '../../support/git-http.ts'

// node git-server.main.ts ROOT ADDRESS: serves bare repositories to ann on port 8090, and by https on 8443; while ROOT/slow exists it holds
// every answer back.
const [root = '', host = ''] = process.argv.slice(2)
const user = { name: 'ann', password: 'the token of ann' }
const tls = { key: readFileSync(`${root}/tls.key`, 'utf8'), cert: readFileSync(`${root}/tls.crt`, 'utf8') }
for (const server of [
  await serveGit({ root, host, port: 8090, user }),
  await serveGit({ root, host, port: 8443, user, tls }),
]) {
  server.intercept = async () => {
    if (!existsSync(`${root}/slow`)) return false
    await new Promise(() => {})
    return true
  }
}
