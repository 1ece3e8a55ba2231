package deviant

import "context"

type askedKey struct{}

func withAsked(ctx context.Context, a *asked) context.Context {
	return context.WithValue(ctx, askedKey{}, a)
}

func askedFrom(ctx context.Context) *asked {
	return ctx.Value(askedKey{}).(*asked)
}
