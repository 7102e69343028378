import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import type { Query } from '../../../web/call.ts'
import { run } from '../../../web/client.ts'
import { readAgain } from '../../../web/queries.ts'
import type { Chosen, Notification } from '../model.ts'
import { notifications } from './api.ts'

/** GET /notifications/unread-count, polled while the page is visible. */
export const useUnread = () =>
  useQuery({
    queryKey: ['notifications', 'unread'],
    queryFn: ({ signal }) => run(notifications.countUnread(), signal),
    refetchInterval: 10_000,
  })

/** GET /notifications */
export const useNotifications = (asked: Query) =>
  useQuery({
    queryKey: ['notifications', 'list', asked],
    queryFn: ({ signal }) => run(notifications.listNotifications({ query: asked }), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })

/** POST /notifications/mark-read */
export const useMarkRead = () =>
  useMutation({
    mutationFn: (body: Chosen) => run(notifications.markRead({ body })),
    onSettled: () => readAgain('notifications'),
  })

/** POST /notifications/delete */
export const useDeleteNotifications = () =>
  useMutation({
    mutationFn: (body: Chosen) => run(notifications.deleteNotifications({ body })),
    onSettled: () => readAgain('notifications'),
  })

/** GET /notifications/channels */
export const useChannels = () =>
  useQuery({
    queryKey: ['notifications', 'channels'],
    queryFn: ({ signal }) => run(notifications.listChannels(), signal),
  })

/** GET /notifications/deliveries, polled while the page is visible. */
export const useDeliveries = (asked: Query) =>
  useQuery({
    queryKey: ['notifications', 'deliveries', asked],
    queryFn: ({ signal }) => run(notifications.listDeliveries({ query: asked }), signal),
    placeholderData: keepPreviousData,
    refetchInterval: 5000,
  })

/** The title of a notification, with how often it happened. */
export const titleOf = ({ title, count }: Pick<Notification, 'title' | 'count'>): string =>
  count === 1 ? title : `${title} (${count} times)`
