import { Button, Group, Text } from '@mantine/core'
import { IconBookmark } from '@tabler/icons-react'
import { useState } from 'react'
import { ChangeDialog } from '../../../web/kit/ChangeDialog.tsx'
import { CutOffButton } from '../../../web/kit/CutOffButton.tsx'
import { type Column, DataTable } from '../../../web/kit/DataTable.tsx'
import { PlannedForm } from '../../../web/kit/PlannedForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Empty } from '../../../web/kit/states.tsx'
import { useWholePage } from '../../../web/kit/whole-page.ts'
import { type SavedSearch, SavedSearchDraft } from '../model.ts'
import { logstore } from './api.ts'
import type { Asked } from './asked.ts'
import { done } from './done.ts'
import { useSavedSearches } from './queries.ts'

const text = {
  name: { label: 'Name' },
  query: { label: 'Query' },
  severity: { label: 'Severities', hint: 'With commas between' },
  time_range: { label: 'Time' },
  expiry: { label: 'Expires', hint: '6m, 1y or never; two years if it is empty' },
  preserve_data: { label: 'Preserve its lines', hint: '1 keeps them beyond the retention, 0 does not' },
  alert_threshold: { label: 'Alert from', hint: 'Lines from which superusers are notified; 0 for never' },
  alert_minutes: { label: 'Within (minutes)', hint: 'Lines of the last minutes are counted' },
}

const noAlert = { preserve_data: 0, alert_threshold: 0, alert_minutes: 5 }

interface SavedSearchesProps {
  readonly asked: Asked
  readonly onOpen: (change: Partial<Asked>) => void
}

/** The saved searches, and dialogs that add and delete them. */
export function SavedSearches({ asked, onOpen }: SavedSearchesProps) {
  const query = useSavedSearches()
  const [isSaving, setSaving] = useState(false)
  const [deleting, remove] = useState<SavedSearch>()
  const { query: asks, severity, range } = asked
  return (
    <SectionCard title="Saved searches">
      <Group>
        <Button
          variant="default"
          leftSection={<IconBookmark size={16} aria-hidden />}
          onClick={() => setSaving(true)}
        >
          Save this search
        </Button>
      </Group>
      <DataTable
        label="Saved searches"
        columns={columnsOf(onOpen, remove)}
        query={useWholePage(query)}
        rowKey={({ id }) => id}
        empty={<Empty title="No saved searches yet">Save one to find it again, or to keep its lines.</Empty>}
      />
      {isSaving && (
        <PlannedForm
          title="Save this search"
          confirmLabel="Save"
          schema={SavedSearchDraft}
          text={text}
          given={{ name: '', query: asks, severity, time_range: range, expiry: '', ...noAlert }}
          callOf={(body: SavedSearchDraft) => logstore.saveLogSearch({ body })}
          onClose={() => setSaving(false)}
          onDone={() => done(() => setSaving(false), 'The search was saved.')}
        />
      )}
      {deleting && (
        <ChangeDialog
          title={`Delete ${deleting.name}`}
          confirmLabel="Delete"
          call={logstore.deleteSavedSearch({ params: { id: String(deleting.id) } })}
          onClose={() => remove(undefined)}
          onDone={() => done(() => remove(undefined), 'The search was deleted.')}
        />
      )}
    </SectionCard>
  )
}

const columnsOf = (
  onOpen: SavedSearchesProps['onOpen'],
  remove: (search: SavedSearch) => void,
): readonly Column<SavedSearch>[] => [
  {
    id: 'name',
    title: 'Name',
    cell: ({ name, query }) => (
      <>
        <Text size="sm" fw={600} className="anywhere">
          {name}
        </Text>
        <Text size="xs" c="dimmed" className="anywhere">
          {query}
        </Text>
      </>
    ),
  },
  { id: 'preserves', title: 'Preserves', cell: (search) => (search.preserve_data === 1 ? 'Yes' : 'No') },
  {
    id: 'alert',
    title: 'Alert',
    cell: ({ alert_threshold: lines, alert_minutes: minutes }) =>
      lines === 0 ? '–' : `${lines.toLocaleString()} lines in ${minutes} min`,
  },
  { id: 'expires', title: 'Expires', cell: (search) => search.expires_at?.slice(0, 10) ?? 'Never' },
  {
    id: 'do',
    title: 'Action',
    align: 'right',
    cell: (search) => (
      <Group gap={4} justify="flex-end">
        <Button
          size="xs"
          variant="default"
          aria-label={`Open ${search.name}`}
          onClick={() =>
            onOpen({
              query: search.query,
              severity: search.severity,
              range: search.time_range || 'now-24h',
            })
          }
        >
          Open
        </Button>
        <CutOffButton size="xs" aria-label={`Delete ${search.name}`} onClick={() => remove(search)}>
          Delete
        </CutOffButton>
      </Group>
    ),
  },
]
