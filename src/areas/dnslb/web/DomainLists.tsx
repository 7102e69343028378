import { Button, FileButton, Group } from '@mantine/core'
import { useState } from 'react'
import type { Static } from 'typebox'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { DomainListDraft, type DomainLists as Lists } from '../model.ts'
import { dnslb } from './api.ts'
import { domainsOfFile, listNameOf } from './domains-of-file.ts'
import { done, useDomainLists } from './queries.ts'
import { raised, RowButtons } from './RowButtons.tsx'

type List = Static<typeof Lists>['lists'][number]

const text = {
  name: { label: 'Name', hint: 'At most 10 letters' },
  action: { label: 'Action', labels: { block: 'Block', whitelist: 'Exempt from later lists' } },
  domains: { label: 'Domains', hint: 'One per line, each with everything below it', rows: 12 },
}

type Asking =
  | { readonly what: 'write'; readonly title: string; readonly given?: DomainListDraft }
  | { readonly what: 'remove'; readonly name: string }
  | { readonly what: 'order'; readonly name: string; readonly order: string[] }

const columnsOf = (lists: readonly List[], ask: (asking: Asking) => void): readonly Column<List>[] => [
  { id: 'name', title: 'List', cell: ({ name }) => name },
  { id: 'action', title: 'Effect', cell: ({ action }) => text.action.labels[action] },
  { id: 'count', title: 'Domains', cell: ({ count }) => count },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: ({ name, action, domains }) => {
      const at = lists.findIndex((list) => list.name === name)
      const order =
        at > 0
          ? raised(
              lists.map((list) => list.name),
              at,
            )
          : undefined
      const edit = () => {
        const given = { name, action, domains: domains.join('\n') }
        ask({ what: 'write', title: `Edit ${name}`, given })
      }
      return (
        <RowButtons
          name={name}
          onRaise={order && (() => ask({ what: 'order', name, order }))}
          onEdit={edit}
          onRemove={() => ask({ what: 'remove', name })}
        />
      )
    },
  },
]

/** The lists of domains, in the order in which they are evaluated. */
export function DomainLists() {
  const { data, ...query } = useDomainLists()
  const page = useWholePage({ ...query, data: data?.lists })
  const [asking, ask] = useState<Asking>()
  const close = () => ask(undefined)
  const importFile = async (file: File | null) => {
    if (file === null) return
    const given = {
      name: listNameOf(file.name),
      action: 'block' as const,
      domains: domainsOfFile(await file.text()),
    }
    ask({ what: 'write', title: `Import ${file.name}`, given })
  }
  return (
    <>
      <Group justify="flex-end">
        <FileButton onChange={(file) => void importFile(file)} accept="text/plain,.txt,.hosts,.list">
          {(props) => (
            <Button variant="default" {...props}>
              Import a file
            </Button>
          )}
        </FileButton>
        <Button onClick={() => ask({ what: 'write', title: 'Add a domain list' })}>Add a domain list</Button>
      </Group>
      <DataTable
        label="Domain lists"
        columns={columnsOf(data?.lists ?? [], ask)}
        query={page}
        rowKey={({ name }) => name}
        empty={<Empty title="No domain lists yet">Add or import one to block names.</Empty>}
      />
      {asking?.what === 'write' && (
        <PlannedForm
          title={asking.title}
          confirmLabel="Save"
          schema={DomainListDraft}
          text={text}
          {...(asking.given && { given: asking.given })}
          callOf={(body: DomainListDraft) => dnslb.writeDomains({ body })}
          onClose={close}
          onDone={({ count }: { readonly count: number }) => done(close, `The list has ${count} domains.`)}
        />
      )}
      {asking?.what === 'remove' && (
        <ChangeDialog
          title={`Remove ${asking.name}`}
          confirmLabel="Remove"
          call={dnslb.deleteDomains({ params: { name: asking.name } })}
          onClose={close}
          onDone={() => done(close, `${asking.name} was removed.`)}
        />
      )}
      {asking?.what === 'order' && (
        <ChangeDialog
          title={`Move ${asking.name} up`}
          confirmLabel="Move"
          call={dnslb.reorderDomains({ body: { order: asking.order } })}
          onClose={close}
          onDone={() => done(close, 'The order was changed.')}
        />
      )}
    </>
  )
}
