import Type, { type Static } from 'typebox'
import { run } from '../../../web/client.ts'
import { notify } from '../../../web/kit/notices.tsx'
import { SchemaForm } from '../../../web/kit/SchemaForm.tsx'
import { SectionCard } from '../../../web/kit/SectionCard.tsx'
import { Failure, Loading } from '../../../web/kit/states.tsx'
import { DrillSettings } from '../drills/model.ts'
import { sitebackups } from './api.ts'
import { readBackupsAgain, useDrillSettings } from './queries.ts'

const text = {
  schedule: {
    label: 'Schedule',
    hint: 'Minute, hour, day, month, weekday: 0 4 * * 0 is each Sunday at 4:00; empty: none',
  },
  max_age_days: { label: 'Days until a proof is too old', hint: 'The owner is notified then; 0: never' },
}

/** An empty schedule is none. */
const { schedule, max_age_days } = DrillSettings.properties
const DrillForm = Type.Object({ schedule: Type.Optional(schedule), max_age_days })
type DrillForm = Static<typeof DrillForm>

/** When the backups of all websites are proven, and how old a proof may be. */
export function DrillSettingsCard() {
  const { data, error, refetch } = useDrillSettings()
  const callOf = (form: DrillForm) => sitebackups.saveDrillSettings({ body: { schedule: '', ...form } })
  const save = async (form: DrillForm) => {
    await run(callOf(form)).finally(() => readBackupsAgain())
    notify('The drill settings were saved.')
  }
  return (
    <SectionCard title="Restore drills of all websites">
      {error && !data && <Failure error={error} onRetry={() => void refetch()} />}
      {!error && !data && <Loading rows={2} />}
      {data && (
        <SchemaForm
          key={JSON.stringify(data)}
          schema={DrillForm}
          text={text}
          given={data}
          submitLabel="Save the settings"
          reviewOf={callOf}
          onSubmit={save}
        />
      )}
    </SectionCard>
  )
}
