import { Button, Group } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { useListState } from '../../../web/kit/list-state.ts'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { type Template, TemplateDraft } from '../model.ts'
import { authdns } from './api.ts'
import { DnsFrame } from './DnsFrame.tsx'
import { useTemplates } from './queries.ts'
import { done } from './ZoneDialogs.tsx'

const text = {
  name: { label: 'Name' },
  description: { label: 'Description' },
  records: {
    label: 'Records',
    hint: '{{zone}} is the name of the zone; other placeholders, such as {{ip}}, are asked for',
  },
}

/** What a website with mail needs. */
const suggestion = {
  name: 'Website',
  description: 'A website with mail, SPF, DMARC and CAA',
  records: [
    { name: '@', type: 'A', content: '{{ip}}' },
    { name: 'www', type: 'CNAME', content: '{{zone}}.' },
    { name: '@', type: 'MX', content: '10 mail.{{zone}}.' },
    { name: 'mail', type: 'A', content: '{{ip}}' },
    { name: '@', type: 'TXT', content: 'v=spf1 mx -all' },
    { name: '_dmarc', type: 'TXT', content: 'v=DMARC1; p=reject' },
    { name: '@', type: 'CAA', content: '0 issue "letsencrypt.org"' },
  ],
}

interface Asking {
  readonly what: 'edit' | 'delete'
  readonly template: Template
}

const columnsOf = (ask: (asking: Asking) => void): readonly Column<Template>[] => [
  { id: 'name', title: 'Template', sort: 'name', cell: ({ name }) => name },
  { id: 'description', title: 'Description', cell: ({ description }) => description },
  { id: 'records', title: 'Records', cell: ({ records }) => records.length },
  { id: 'placeholders', title: 'Placeholders', cell: ({ placeholders }) => placeholders.join(', ') },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (template) => (
      <Group gap={4} justify="flex-end" wrap="nowrap">
        <Button
          size="xs"
          variant="default"
          aria-label={`Edit ${template.name}`}
          onClick={() => ask({ what: 'edit', template })}
        >
          Edit
        </Button>
        <CutOffButton
          size="xs"
          aria-label={`Delete ${template.name}`}
          onClick={() => ask({ what: 'delete', template })}
        >
          Delete
        </CutOffButton>
      </Group>
    ),
  },
]

/** The templates, and dialogs that add, change and delete them. */
export function TemplatesPage() {
  const list = useListState('name')
  const query = useTemplates(list.asked)
  const [asking, ask] = useState<Asking>()
  const [isCreating, setCreating] = useState(false)
  const close = () => ask(undefined)
  return (
    <DnsFrame
      actions={
        <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
          Add a template
        </Button>
      }
    >
      <DataTable
        label="Templates"
        columns={columnsOf(ask)}
        query={query}
        rowKey={({ id }) => id}
        list={list}
        searchLabel="Search templates"
        empty={<Empty title="No templates yet">Add one to give new zones the same records.</Empty>}
      />
      {isCreating && (
        <PlannedForm
          title="Add a template"
          confirmLabel="Add"
          schema={TemplateDraft}
          text={text}
          given={suggestion}
          size="xl"
          callOf={(body: TemplateDraft) => authdns.createDnsTemplate({ body })}
          onClose={() => setCreating(false)}
          onDone={() => done(() => setCreating(false), 'The template was added.')}
        />
      )}
      {asking?.what === 'edit' && (
        <PlannedForm
          title={`Edit ${asking.template.name}`}
          confirmLabel="Save"
          schema={TemplateDraft}
          text={text}
          given={asking.template}
          size="xl"
          callOf={(body: TemplateDraft) =>
            authdns.replaceDnsTemplate({ params: { id: asking.template.id }, body })
          }
          onClose={close}
          onDone={() => done(close, 'The template was changed.')}
        />
      )}
      {asking?.what === 'delete' && (
        <ChangeDialog
          title={`Delete ${asking.template.name}`}
          confirmLabel="Delete"
          call={authdns.deleteDnsTemplate({ params: { id: asking.template.id } })}
          onClose={close}
          onDone={() => done(close, 'The template was deleted.')}
        />
      )}
    </DnsFrame>
  )
}
