package main

import (
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math/big"

	"github.com/golang-jwt/jwt"

	"tokens/run"
)

type jwk struct{ Kid, Alg, X, Y string }

// The library has no JWK sets, so this reads the two types of keys that the service publishes.
func (key jwk) public() interface{} {
	x, _ := base64.RawURLEncoding.DecodeString(key.X)
	if key.Alg == "EdDSA" {
		return ed25519.PublicKey(x)
	}
	y, _ := base64.RawURLEncoding.DecodeString(key.Y)
	return &ecdsa.PublicKey{Curve: elliptic.P256(), X: new(big.Int).SetBytes(x), Y: new(big.Int).SetBytes(y)}
}

func main() {
	run.Run(func(text string, keys []byte) (run.Claims, error) {
		var set struct{ Keys []jwk }
		if err := json.Unmarshal(keys, &set); err != nil {
			return run.Claims{}, err
		}
		claims := jwt.MapClaims{}
		_, err := jwt.ParseWithClaims(text, claims, func(token *jwt.Token) (interface{}, error) {
			for _, key := range set.Keys {
				if key.Kid == token.Header["kid"] && key.Alg == token.Method.Alg() {
					return key.public(), nil
				}
			}
			return nil, fmt.Errorf("no key %v for %s", token.Header["kid"], token.Method.Alg())
		})
		if err != nil {
			return run.Claims{}, err
		}
		return run.Claims{Subject: claims["sub"].(string), Issuer: claims["iss"].(string), Audience: claims["aud"].(string)}, nil
	})
}
