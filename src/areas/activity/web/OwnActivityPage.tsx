import { Page } from '../../../web/kit/Page.tsx'
import { ActivityList } from './ActivityList.tsx'

/** The activity of the signed-in user. */
export function OwnActivityPage() {
  return (
    <Page title="My activity" about="Every change that you made, newest first.">
      <ActivityList whose="mine" />
    </Page>
  )
}
