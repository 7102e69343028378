import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { note, slugs } from './answers.ts'
import { serveParent } from './server-process.ts'

// The least that an HTTP server of Node can do: answer JSON, and read a JSON body.
const server = createServer((request, response) => {
  if (request.method === 'GET') return send(response, JSON.stringify({ data: slugs }))
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => (text += chunk))
  request.on('end', () => send(response, JSON.stringify({ data: note(JSON.parse(text)) })))
})

function send(response: import('node:http').ServerResponse, body: string): void {
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}

server.listen(0, '127.0.0.1', () =>
  serveParent({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }),
)
