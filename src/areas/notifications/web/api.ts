// Made from the declarations by `npm run snapshots`; edits here are overwritten.
import { client } from '../../../web/call.ts'
import type * as endpoints from '../endpoints.ts'

/** Makes the calls of the area, by the names of its endpoints. */
export const notifications = client<typeof endpoints>({
  listNotifications: 'GET /notifications',
  listChannels: 'GET /notifications/channels',
  replaceChannels: 'PUT /notifications/channels',
  confirmChannel: 'POST /notifications/channels/{id}/confirm',
  testChannel: 'POST /notifications/channels/{id}/test',
  deleteNotifications: 'POST /notifications/delete',
  listDeliveries: 'GET /notifications/deliveries',
  followNotifications: 'GET /notifications/events',
  markRead: 'POST /notifications/mark-read',
  countUnread: 'GET /notifications/unread-count',
})
