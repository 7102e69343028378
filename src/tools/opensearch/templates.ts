import Type from 'typebox'
import { compiled } from '../../core/compiled.ts'
import type { StepKind } from '../../core/change.ts'
import { Problem } from '../../core/problem.ts'
import type { Was } from '../../core/steps.ts'
import { connectProblems } from '../../host/connect/index.ts'
import { type ApiConnection, apiStep } from '../../host/apply/steps.ts'
import { logIndices } from './layout.ts'

/** Raised with each change of a template, so that an installation writes it again. */
const version = 1

const keyword = { type: 'keyword', ignore_above: 1024 } as const

// rsyslog gives microseconds, which keep the order of lines
const lineFields = {
  dynamic: false,
  properties: {
    '@timestamp': { type: 'date_nanos' },
    message: { type: 'text' },
    severity: keyword,
    facility: keyword,
    host: keyword,
    program: keyword,
    pid: keyword,
    source: keyword,
    source_ip: keyword,
    preserved: { type: 'boolean' },
  },
} as const

/** What new indices are created with: no replicas anywhere, as there is one node, and the fields of log lines. */
const templates = {
  'hostreeve-defaults': {
    index_patterns: ['*'],
    priority: 0,
    version,
    template: { settings: { number_of_replicas: 0 } },
  },
  'hostreeve-logs': {
    index_patterns: [logIndices],
    priority: 100,
    version,
    template: {
      settings: { number_of_shards: 1, number_of_replicas: 0 },
      mappings: lineFields,
    },
  },
  /** In a cluster, which has settings of its own for what else it stores: a copy of each line as soon as there is a second node. A node of another panel may have the other template. */
  'hostreeve-cluster': {
    index_patterns: [logIndices],
    priority: 200,
    version,
    template: { settings: { number_of_shards: 1, auto_expand_replicas: '0-1' }, mappings: lineFields },
  },
} as const

export type TemplateName = keyof typeof templates
/** The template of lines in a cluster. */
export const clusterTemplate: TemplateName = 'hostreeve-cluster'
export const templateNames: readonly TemplateName[] = ['hostreeve-defaults', 'hostreeve-logs']

interface TemplateState {
  readonly version: number
}

const found = compiled(
  Type.Object({
    index_templates: Type.Array(
      Type.Object({ index_template: Type.Object({ version: Type.Optional(Type.Integer()) }) }),
    ),
  }),
)

/** The step that writes one template of indices. */
export const putTemplate = (
  connection: ApiConnection,
): StepKind<{ readonly name: TemplateName }, Was<TemplateState>, null> => {
  const step = apiStep<{ readonly name: TemplateName }, TemplateState>(connection, {
    name: 'opensearch.put-template',
    title: ({ name }) => `Write the index template ${name}`,
    object: ({ name }) => `index template ${name}`,
    read: ({ name }) => ({ method: 'GET', path: `/_index_template/${name}` }),
    stateOf: (body) => {
      const [first] = found.Check(body) ? body.index_templates : []
      return first === undefined ? undefined : { version: first.index_template.version ?? 0 }
    },
    wanted: () => ({ version }),
    write: ({ name }, state) => [
      state === undefined
        ? { method: 'DELETE', path: `/_index_template/${name}` }
        : {
            method: 'PUT',
            path: `/_index_template/${name}`,
            body: { ...templates[name], version: state.version },
          },
    ],
    show: (state) => `version ${state.version}`,
  })
  const { preview } = step
  if (preview === undefined) return step
  return {
    ...step,
    // an installation is planned before the program is there
    preview: (args, live) =>
      preview(args, live).catch((error: unknown) => {
        if (error instanceof Problem && error.kind === connectProblems.NotAnswering) return {}
        throw error
      }),
  }
}
