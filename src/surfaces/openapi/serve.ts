import type { FastifyInstance } from 'fastify'
import { fixedText } from '../http/compress.ts'
import type { Route } from '../routes.ts'
import { writeOpenApi } from './document.ts'
import { readerStyle } from './reader-style.ts'
import { readerPage } from './reader.ts'

/** The version of the API; the release of the panel is shown to signed-in callers only (decision 2.2). */
export const apiVersion = '1'

/** Serves the OpenAPI document and its reader; both are built on the first request, and kept outside of the heap. */
export function serveDocuments(app: FastifyInstance, routes: readonly Route[]): void {
  let sendDocument: ReturnType<typeof fixedText> | undefined
  let sendPage: ReturnType<typeof fixedText> | undefined
  app.get('/api/openapi.json', async (_request, reply) => {
    sendDocument ??= fixedText(writeOpenApi(routes, apiVersion))
    return sendDocument(reply.type('application/json; charset=utf-8'))
  })
  app.get('/api/docs', async (_request, reply) => {
    void reply.header(
      'content-security-policy',
      "default-src 'none'; style-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
    )
    sendPage ??= fixedText(Buffer.from(readerPage(routes)))
    return sendPage(reply.type('text/html; charset=utf-8'))
  })
  app.get('/api/docs.css', async (_request, reply) => reply.type('text/css; charset=utf-8').send(readerStyle))
}
