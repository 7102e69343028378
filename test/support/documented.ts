import assert from 'node:assert/strict'
import type { TSchema } from 'typebox'
import { Check, Errors } from 'typebox/value'
import { openApiDocument, type OpenApiDocument } from '../../src/surfaces/openapi/document.ts'
import type { Route } from '../../src/surfaces/routes.ts'
import type { Answer } from './request.ts'

type Fields = Readonly<Record<string, any>>

/** Fails a test if an answer differs from the OpenAPI document: its status, its content type or its schema. */
export type AssertDocumented = (method: string, path: string, answer: Answer) => void

/** Documents of route tables by their areas: panels with the same areas share one. */
const documents = new Map<string, OpenApiDocument>()

/** Compares the answers of a route table with its document, which is made for the first answer. */
export function documentOf(routes: readonly Route[]): AssertDocumented {
  const key = [...new Set(routes.map(({ area }) => area.name))].join(' ')
  return (method, path, answer) => {
    const document = documents.get(key) ?? openApiDocument(routes, 'test')
    documents.set(key, document)
    assertDocumented(document, { method, path: path.split('?')[0] as string, answer })
  }
}

interface Asked {
  readonly method: string
  readonly path: string
  readonly answer: Answer
}

function assertDocumented(document: OpenApiDocument, { method, path, answer }: Asked): void {
  const template = templateOf(document, path)
  if (template === undefined) return
  const operations = document.paths[template] as Fields
  const { status, headers, text } = answer
  const operation = operations[method.toLowerCase()] as Fields | undefined
  if (operation === undefined) return assertNotAllowed(Object.keys(operations), answer)
  const at = `${method} ${template} answers ${status}`
  const { responses } = operation
  const response = resolve(document, responses[status] ?? responses[`${String(status)[0]}XX`])
  assert.ok(response, `${at}, which its document does not have: ${text.slice(0, 300)}`)
  if (text === '') return
  const type = String(headers['content-type']).split(';')[0] as string
  const content = response.content?.[type]
  assert.ok(content, `${at} as ${type}, which its document does not have`)
  const schema = inlined(document, content.schema)
  const shown = type === 'text/event-stream' ? schema.properties.data.contentSchema : schema
  for (const value of valuesIn(type, text)) assertMatches(shown, value, at)
}

function assertNotAllowed(methods: readonly string[], { status, headers }: Answer): void {
  assert.equal(status, 405)
  assert.deepEqual(
    String(headers['allow']).split(', ').toSorted(),
    methods.map((method) => method.toUpperCase()).toSorted(),
  )
}

/** The concrete path comes before templates, and a template with fewer parameters before others. */
function templateOf({ paths }: OpenApiDocument, path: string): string | undefined {
  const steps = path.replace(/\/$/, '').split('/')
  const found = Object.keys(paths).filter((template) => {
    const parts = template.split('/')
    return (
      parts.length === steps.length &&
      parts.every((part, at) => (part.startsWith('{') ? steps[at] !== '' : part === steps[at]))
    )
  })
  return found.toSorted((one, other) => one.split('{').length - other.split('{').length)[0]
}

/** The values that a schema of the document describes: the body, or each event of a stream. */
function valuesIn(type: string, text: string): readonly unknown[] {
  if (type === 'application/json' || type.endsWith('+json')) return [JSON.parse(text)]
  if (type !== 'text/event-stream') return []
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, line]) => JSON.parse(line as string))
}

function assertMatches(schema: TSchema, value: unknown, at: string): void {
  assert.ok(
    Check(schema, value),
    `${at} with what its schema does not allow: ${JSON.stringify(value).slice(0, 500)}\n${JSON.stringify(
      Errors(schema, value).slice(0, 3),
    )}`,
  )
}

function resolve(document: OpenApiDocument, part: Fields | undefined): Fields | undefined {
  const [kind, name] = /^#\/components\/(\w+)\/(.+)$/.exec(part?.['$ref'] ?? '')?.slice(1) ?? []
  if (kind === undefined || name === undefined) return part
  return (document.components as Fields)[kind][name]
}

/** A schema without references; one that refers to itself ends in a schema that allows everything. */
function inlined(document: OpenApiDocument, part: any, seen: readonly string[] = []): any {
  if (Array.isArray(part)) return part.map((each) => inlined(document, each, seen))
  if (typeof part !== 'object' || part === null) return part
  const { $ref } = part
  if (typeof $ref === 'string')
    return seen.includes($ref) ? {} : inlined(document, resolve(document, part), [...seen, $ref])
  return Object.fromEntries(Object.entries(part).map(([key, each]) => [key, inlined(document, each, seen)]))
}
