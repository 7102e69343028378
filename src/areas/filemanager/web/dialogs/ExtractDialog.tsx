import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { ChangeDialog } from '../../../../web/kit/ChangeDialog.tsx'
import { calls } from '../calls.ts'
import { fileJobs } from '../jobs/file-jobs.ts'
import { shown } from '../names.ts'
import { joinPath, parentOf, splitName } from '../paths.ts'
import type { Item, Whose } from '../queries.ts'
import { FolderPicker } from './FolderPicker.tsx'

interface ExtractDialogProps {
  readonly item: Item
  readonly whose: Whose
  readonly showHidden: boolean
  readonly onClose: () => void
}

type Where = 'here' | 'own' | 'other'

/**
 * Extracts an archive into its folder, a new folder or another one; shows first which files would be
 * replaced.
 */
export function ExtractDialog({ item, whose, showHidden, onClose }: ExtractDialogProps) {
  const here = parentOf(item.path)
  const own = joinPath(here, splitName(item.name).stem)
  const [where, setWhere] = useState<Where>('here')
  const [other, setOther] = useState(here)
  const folder = where === 'here' ? here : where === 'own' ? own : other
  const begun = ({ job_id: jobId }: { readonly job_id: number }) => {
    onClose()
    void fileJobs.follow({ jobId, verb: 'unpack', name: item.label, count: 1 })
  }
  const choose = (next: string) => setWhere(next === 'own' || next === 'other' ? next : 'here')
  return (
    <ChangeDialog
      title={`Extract ${item.label}`}
      confirmLabel="Extract"
      call={calls.extract(whose, item.path, folder)}
      planOf={calls.extractAtOnce(whose, item.path, folder)}
      onClose={onClose}
      onDone={begun}
    >
      <Radio.Group label="Where to" value={where} onChange={choose}>
        <Stack gap="xs" mt="xs">
          <Radio
            value="here"
            label={`Into this folder: ${here === '' ? 'Home' : shown(here)}`}
            className="anywhere"
          />
          <Radio value="own" label={`Into a folder of its own: ${shown(own)}`} className="anywhere" />
          <Radio value="other" label="Into another folder" />
        </Stack>
      </Radio.Group>
      {where === 'other' && (
        <FolderPicker whose={whose} path={other} showHidden={showHidden} onChoose={setOther} />
      )}
    </ChangeDialog>
  )
}
