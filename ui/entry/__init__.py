"""Who comes in: every request is looked at here before anything else of the page sees it.

visit           what is known of a request: who asks, and whether their browser speaks https
addresses       which addresses are proxies of ours, and what they may tell about a request
door            the two ways of knowing a name, and the open door of those who know none
passwords       scrypt
users           the file of those who may sign in
sessions        who is signed in
brake           wrong passwords take longer and longer
windows         a window's stream of answers belongs to the person who opened it
page, routes    the sign-in page, signing in and out
telling         what is said at the start
command         `python -m ui users`
"""
