import { failures } from '../../../core/endpoint.ts'
import { NotFound } from '../../../core/problem.ts'
import { created, data, list, succeeded } from '../../../core/reply.ts'
import { RecordsRefused } from '../../../tools/powerdns/index.ts'
import { endpoint } from '../context.ts'
import { ofBackend } from '../failures.ts'
import {
  Force,
  Template,
  TemplateDraft,
  TemplatePath,
  TemplateValues,
  TemplateZonePath,
  ZoneChanged,
} from '../model.ts'
import {
  ForceRequired,
  RecordInvalid,
  TemplateInvalid,
  TemplateTaken,
  ZoneInvalid,
  ZoneNotFound,
} from '../problems.ts'
import * as templates from '../templates.ts'

const invalid = { bad_request: TemplateInvalid, conflict: TemplateTaken }

export const listDnsTemplates = endpoint({
  method: 'GET',
  path: '/templates',
  summary: 'List the templates of DNS zones',
  effect: 'reads',
  reply: list(Template, { sort: ['name', 'created_at', 'id'], search: ['name', 'description'] }),
  run: ({ authdns, query }) => templates.listTemplates(authdns, query),
})

export const createDnsTemplate = endpoint({
  method: 'POST',
  path: '/templates',
  summary: 'Add a template of DNS records with placeholders',
  effect: 'changes',
  category: 'dns',
  body: TemplateDraft,
  reply: created(Template),
  throws: invalid,
  run: ({ authdns, body, ...request }) => templates.createTemplate(authdns, body, request),
})

export const readDnsTemplate = endpoint({
  method: 'GET',
  path: '/templates/{id}',
  summary: 'Read a template of DNS records',
  effect: 'reads',
  params: TemplatePath,
  reply: data(Template),
  throws: { not_found: NotFound },
  run: ({ authdns, params }) => templates.readTemplate(authdns, params.id),
})

export const replaceDnsTemplate = endpoint({
  method: 'PUT',
  path: '/templates/{id}',
  summary: 'Replace a template of DNS records',
  description: 'Zones to which it was applied stay as they are.',
  effect: 'changes',
  category: 'dns',
  params: TemplatePath,
  body: TemplateDraft,
  reply: data(Template),
  throws: failures(invalid, { not_found: NotFound }),
  run: ({ authdns, params, body }) => templates.replaceTemplate(authdns, params.id, body),
})

export const deleteDnsTemplate = endpoint({
  method: 'DELETE',
  path: '/templates/{id}',
  summary: 'Delete a template of DNS records',
  effect: 'destroys',
  category: 'dns',
  params: TemplatePath,
  reply: succeeded,
  throws: { not_found: NotFound },
  run: ({ authdns, params }) => templates.deleteTemplate(authdns, params.id),
})

export const applyDnsTemplate = endpoint({
  method: 'POST',
  path: '/templates/{id}/apply/{zone}',
  summary: 'Set the records of a template in a DNS zone',
  description:
    'Record sets of the template replace those of the same name and type. `values` has a text for each placeholder; {{zone}} is the name of the zone.',
  effect: 'changes',
  category: 'dns',
  params: TemplateZonePath,
  query: Force,
  body: TemplateValues,
  reply: data(ZoneChanged),
  throws: failures(ofBackend, {
    bad_request: [TemplateInvalid, ZoneInvalid, RecordInvalid, RecordsRefused],
    not_found: [NotFound, ZoneNotFound],
    force_required: ForceRequired,
  }),
  run: ({ authdns, params, query, body }) =>
    templates.applyTemplate(authdns, { ...params, ...body, ...query }),
})
