import { Button, Modal, Select, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { DialogFooter } from '../../../web/kit/DialogFooter.tsx'
import { Failure } from '../../../web/kit/states.tsx'
import { authdns } from './api.ts'
import { ForceDialog } from './ForceDialog.tsx'
import { useTemplates } from './queries.ts'
import { done } from './ZoneDialogs.tsx'

interface ApplyTemplateProps {
  readonly zone: string
  readonly onClose: () => void
}

/** Asks for a template and the values of its placeholders, and applies it after showing its plan. */
export function ApplyTemplateDialog({ zone, onClose }: ApplyTemplateProps) {
  const { data, error, refetch } = useTemplates({ per_page: 500 })
  const [chosenId, setChosenId] = useState<string | null>(null)
  const [values, setValues] = useState<Readonly<Record<string, string>>>({})
  const [isReviewing, setReviewing] = useState(false)
  const template = data?.items.find(({ id }) => String(id) === chosenId)
  const missing = template?.placeholders.some((name) => !values[name]) ?? true
  return (
    <>
      <Modal
        opened
        onClose={onClose}
        title={`Apply a template to ${zone}`}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
        trapFocus={!isReviewing}
        closeOnEscape={!isReviewing}
      >
        <Stack gap="md">
          {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
          <Select
            label="Template"
            placeholder={data?.items.length === 0 ? 'There is none yet' : 'Choose a template'}
            data={data?.items.map(({ id, name }) => ({ value: String(id), label: name })) ?? []}
            value={chosenId}
            onChange={setChosenId}
            data-autofocus
          />
          {template?.placeholders.map((name) => (
            <TextInput
              key={name}
              label={name}
              value={values[name] ?? ''}
              onChange={(event) => {
                const { value } = event.currentTarget
                setValues((now) => ({ ...now, [name]: value }))
              }}
            />
          ))}
          <DialogFooter>
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button disabled={missing} onClick={() => setReviewing(true)}>
              Review changes
            </Button>
          </DialogFooter>
        </Stack>
      </Modal>
      {isReviewing && template && (
        <ForceDialog
          title={`Apply ${template.name}`}
          confirmLabel="Apply"
          callOf={(force) =>
            authdns.applyDnsTemplate({
              params: { id: template.id, zone },
              query: { force },
              body: { values },
            })
          }
          onClose={() => setReviewing(false)}
          onDone={() => done(onClose, `${template.name} was applied.`)}
        />
      )}
    </>
  )
}
