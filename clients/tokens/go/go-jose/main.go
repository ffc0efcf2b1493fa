package main

import (
	"encoding/json"
	"fmt"
	"time"

	"gopkg.in/square/go-jose.v2"
	"gopkg.in/square/go-jose.v2/jwt"

	"tokens/run"
)

func main() {
	run.Run(func(text string, keys []byte) (run.Claims, error) {
		var set jose.JSONWebKeySet
		if err := json.Unmarshal(keys, &set); err != nil {
			return run.Claims{}, err
		}
		token, err := jwt.ParseSigned(text)
		if err != nil {
			return run.Claims{}, err
		}
		header := token.Headers[0]
		found := set.Key(header.KeyID)
		if len(found) != 1 || found[0].Algorithm != header.Algorithm {
			return run.Claims{}, fmt.Errorf("no key %s for %s", header.KeyID, header.Algorithm)
		}
		var claims jwt.Claims
		if err := token.Claims(found[0].Key, &claims); err != nil {
			return run.Claims{}, err
		}
		if err := claims.Validate(jwt.Expected{Time: time.Now()}); err != nil {
			return run.Claims{}, err
		}
		return run.Claims{Subject: claims.Subject, Issuer: claims.Issuer, Audience: claims.Audience[0]}, nil
	})
}
