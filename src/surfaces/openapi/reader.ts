import { describeGuard } from '../../core/guard.ts'
import type { Route } from '../routes.ts'

/** Renders the API reference as one page without scripts from the route table. */
export function readerPage(routes: readonly Route[]): string {
  const areas = Map.groupBy(routes, ({ area }) => area)
  const sections = [...areas].map(
    ([area, own]) =>
      `<section id="${escape(area.name)}"><h2>${escape(area.title)}</h2>${own.map(entry).join('')}</section>`,
  )
  const index = [...areas.keys()].map(
    (area) => `<li><a href="#${escape(area.name)}">${escape(area.title)}</a></li>`,
  )
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>API reference · Hostreeve</title><link rel="stylesheet" href="/api/docs.css"></head><body>
<header><div><strong>Hostreeve</strong><a href="/">Open the panel</a></div></header><main><h1>API reference</h1>
<p class="about">The same as <a href="/api/openapi.json">OpenAPI 3.1</a>. Send <code>Authorization: Bearer</code> with an access token or a <code>bap_</code> key.
A change shows what it would do with <code>?plan=1</code>.</p><nav aria-label="Areas"><ul>${index.join('')}</ul></nav>${sections.join('')}</main></body></html>`
}

function entry({ endpoint, guard, path }: Route): string {
  const parts = [
    endpoint.description && `<p>${escape(endpoint.description)}</p>`,
    `<p>Who: ${escape(describeGuard(guard))}. Effect: ${endpoint.effect}.</p>`,
    schemaBlock('Path', endpoint.params),
    schemaBlock('Query', endpoint.query),
    schemaBlock(
      'Body',
      endpoint.body && 'kind' in endpoint.body && endpoint.body.kind === 'upload'
        ? endpoint.body.fields
        : endpoint.body,
    ),
    schemaBlock(`Reply (${endpoint.reply.status}, ${endpoint.reply.kind})`, endpoint.reply.schema),
    `<p>Failures: ${escape(Object.keys(endpoint.throws ?? {}).join(', ') || 'the general ones')}.</p>`,
  ]
  return `<details><summary><span class="method">${endpoint.method}</span><code>${escape(path)}</code> ${escape(endpoint.summary)}</summary>${parts.filter(Boolean).join('')}</details>`
}

function schemaBlock(title: string, schema: unknown): string {
  return schema === undefined
    ? ''
    : `<h3>${escape(title)}</h3><pre tabindex="0" role="group" aria-label="${escape(title)}"><code>${escape(JSON.stringify(schema, null, 2))}</code></pre>`
}

function escape(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
