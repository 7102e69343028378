import { Button, Checkbox, Code, Group, Modal, Stack, Text, TextInput } from '@mantine/core'
import { useState } from 'react'
import type { Reach } from '../calls.ts'
import { bitsOf, everyBitOf, lettersOf, octalOf, setgid, setuid, sticky } from '../modes.ts'
import type { Item, Whose } from '../queries.ts'
import { ModePlan } from './ModePlan.tsx'
import { ReachChoice } from './ReachChoice.tsx'
import { RightsGrid } from './RightsGrid.tsx'
import { DialogFooter } from '../../../../web/kit/DialogFooter.tsx'

interface ModeDialogProps {
  readonly items: readonly Item[]
  readonly whose: Whose
  readonly onApply: (mode: string, reach: Reach) => void
  readonly onClose: () => void
}

/** Edits permissions; a recursive change shows its plan first. */
export function ModeDialog({ items, whose, onApply, onClose }: ModeDialogProps) {
  const [octal, setOctal] = useState(() => octalOf((everyBitOf(items[0]?.mode ?? '') ?? 0o644) & 0o1777))
  const [reach, setReach] = useState<Reach>('itself')
  const [isLooking, setLooking] = useState(false)
  const what = items.length === 1 ? items[0]?.label : `${items.length} entries`
  return (
    <Modal
      opened
      onClose={onClose}
      title={`Permissions of ${what}`}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {isLooking ? (
        <ModePlan
          items={items}
          whose={whose}
          mode={octal}
          reach={reach}
          onBack={() => setLooking(false)}
          onConfirm={() => onApply(octal, reach)}
        />
      ) : (
        <ModeForm
          items={items}
          octal={octal}
          reach={reach}
          onOctal={setOctal}
          onReach={setReach}
          onClose={onClose}
          onNext={() => (reach === 'itself' ? onApply(octal, reach) : setLooking(true))}
        />
      )}
    </Modal>
  )
}

interface ModeFormProps {
  readonly items: readonly Item[]
  readonly octal: string
  readonly reach: Reach
  readonly onOctal: (octal: string) => void
  readonly onReach: (reach: Reach) => void
  readonly onClose: () => void
  readonly onNext: () => void
}

/** The mode as checkboxes and as an octal number, kept in sync. */
function ModeForm({ items, octal, reach, onOctal, onReach, onClose, onNext }: ModeFormProps) {
  const bits = bitsOf(octal)
  const hasFolder = items.some(({ type }) => type === 'folder')
  const wasSticky = items.some(({ mode }) => ((everyBitOf(mode) ?? 0) & sticky) !== 0)
  return (
    <Stack gap="md">
      <Now items={items} />
      <RightsGrid bits={bits ?? 0} onChange={(next) => onOctal(octalOf(next))} />
      {(hasFolder || wasSticky) && (
        <Checkbox
          label="Sticky"
          description="In a folder that others may write to, only the owner of an entry may rename or remove it."
          checked={((bits ?? 0) & sticky) !== 0}
          onChange={() => onOctal(octalOf((bits ?? 0) ^ sticky))}
        />
      )}
      <OctalInput octal={octal} bits={bits} onOctal={onOctal} />
      {hasFolder && <ReachChoice reach={reach} onReach={onReach} />}
      {hasFolder && reach !== 'files' && bits !== undefined && !(bits & 0o100) && (
        <Text size="sm" c="var(--mantine-color-error)" role="alert">
          Without execute permission for the owner, the folders can no longer be opened.
        </Text>
      )}
      <DialogFooter>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button disabled={bits === undefined} onClick={onNext}>
          {reach === 'itself' ? 'Set the permissions' : 'Review changes'}
        </Button>
      </DialogFooter>
    </Stack>
  )
}

/** Notes about current modes that the form cannot show. */
function Now({ items }: { readonly items: readonly Item[] }) {
  const now = items.map(({ mode }) => everyBitOf(mode) ?? 0)
  const text = [
    ...(now.some((bits) => bits & setuid) ? ['setuid'] : []),
    ...(now.some((bits) => bits & setgid) ? ['setgid'] : []),
  ].join(' and ')
  const who =
    items.length === 1
      ? `It is ${text} now (${items[0]?.mode.replace(/^0+(?=.{3})/, '')})`
      : `Some of them are ${text} now`
  return (
    <>
      {new Set(now).size > 1 && (
        <Text size="sm" c="dimmed">
          They have different modes now; all get this one.
        </Text>
      )}
      {text !== '' && (
        <Text size="sm" role="status">
          {who}. The panel sets neither setuid nor setgid: setting a mode here takes it away.
        </Text>
      )}
    </>
  )
}

interface OctalInputProps {
  readonly octal: string
  readonly bits: number | undefined
  readonly onOctal: (octal: string) => void
}

function OctalInput({ octal, bits, onOctal }: OctalInputProps) {
  return (
    <Group align="flex-start" gap="md" wrap="nowrap">
      <TextInput
        w={110}
        label="Octal"
        value={octal}
        onChange={(event) => onOctal(event.currentTarget.value.trim())}
        maxLength={4}
        inputMode="numeric"
        error={bits === undefined ? 'Such as 644' : undefined}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
      />
      <Stack gap={6} mt={2}>
        <Text size="sm" fw={500}>
          As ls shows it
        </Text>
        <Code fz="sm">{bits === undefined ? '?' : lettersOf(bits)}</Code>
      </Stack>
    </Group>
  )
}
